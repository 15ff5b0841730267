"""Our own suite: the plugin's tests run pytest inside pytest."""

pytest_plugins = ["pytester"]
