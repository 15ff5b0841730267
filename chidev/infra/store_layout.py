"""The layout of the store file: the whole schema, its number, and its history.

Layout 2 (the first of this program): rows, one a thing. `application_id` tells a file of ours from any other SQLite
file, `user_version` is the number of the layout. Texts are kept once, by digest. Ids are UUIDs of version 7, so that
the order of ids is the order in which things were made; whatever has another order says so in a column.
"""

from __future__ import annotations

LAYOUT = 2
APPLICATION_ID = 0x63686964  # "chid"

SCHEMA = """
-- One row: how often the store was committed to, and when the model last moved.
CREATE TABLE store (
  only            INTEGER PRIMARY KEY CHECK (only = 1),
  revision        INTEGER NOT NULL,           -- goes up by one with every commit
  model_revision  INTEGER NOT NULL,           -- the revision at which an edit or a confirmation was last kept
  clear_due       INTEGER NOT NULL            -- 1: a correction was kept, and the file may hold the old bytes still
);

-- One row after init.
CREATE TABLE project (
  only      INTEGER PRIMARY KEY CHECK (only = 1),
  id        TEXT NOT NULL,
  revision  INTEGER NOT NULL                  -- moves when a Context is added or retired
);

-- Every text that anything refers to, once.
CREATE TABLE texts (
  digest  BLOB PRIMARY KEY,                   -- SHA-256 of the text as UTF-8
  text    TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE contexts (
  id        TEXT PRIMARY KEY,
  name      TEXT NOT NULL UNIQUE,
  revision  INTEGER NOT NULL,                 -- moves when an asset is added or retired, or uses or basis change
  basis     TEXT NOT NULL                     -- interface, contract
) WITHOUT ROWID;
CREATE TABLE context_uses (
  context  TEXT NOT NULL REFERENCES contexts (id) DEFERRABLE INITIALLY DEFERRED,
  place    INTEGER NOT NULL,                  -- from 0, in the order given
  used     TEXT NOT NULL REFERENCES contexts (id) DEFERRABLE INITIALLY DEFERRED,
  PRIMARY KEY (context, place)
) WITHOUT ROWID;
CREATE INDEX context_uses_used ON context_uses (used);

-- Contracts, Interfaces and Harnesses that are live.
CREATE TABLE assets (
  id            TEXT PRIMARY KEY,
  context       TEXT NOT NULL REFERENCES contexts (id) DEFERRABLE INITIALLY DEFERRED,
  kind          TEXT NOT NULL,                -- contract, interface, harness
  name          TEXT NOT NULL,
  revision      INTEGER NOT NULL,
  title         TEXT,                         -- of a Contract
  harness_kind  TEXT,                         -- of a Harness: tests
  source        BLOB REFERENCES texts (digest),  -- of an Interface or a Harness
  UNIQUE (context, kind, name)
) WITHOUT ROWID;

-- Clauses, Items and Cases that are live.
CREATE TABLE parts (
  id          TEXT PRIMARY KEY,
  asset       TEXT NOT NULL REFERENCES assets (id) DEFERRABLE INITIALLY DEFERRED,
  place       INTEGER NOT NULL,               -- from 0, the order in the asset
  name        TEXT NOT NULL,                  -- label, key or case name
  revision    INTEGER NOT NULL,
  first_line  INTEGER,                        -- of an Item or a Case, from 1
  last_line   INTEGER
) WITHOUT ROWID;
CREATE INDEX parts_asset ON parts (asset, place);

-- The sentence of a Clause and the signature of an Item at each revision they had; these rows only grow.
CREATE TABLE part_texts (
  part      TEXT NOT NULL,
  revision  INTEGER NOT NULL,
  text      BLOB NOT NULL REFERENCES texts (digest),
  PRIMARY KEY (part, revision)
) WITHOUT ROWID;

CREATE TABLE citations (
  case_id   TEXT NOT NULL REFERENCES parts (id) DEFERRABLE INITIALLY DEFERRED,
  place     INTEGER NOT NULL,                 -- from 0, in the order given
  target    TEXT NOT NULL REFERENCES parts (id) DEFERRABLE INITIALLY DEFERRED,
  kind      TEXT NOT NULL,                    -- item, clause
  revision  INTEGER NOT NULL,                 -- of the target, when the Harness was put
  PRIMARY KEY (case_id, place)
) WITHOUT ROWID;
CREATE INDEX citations_target ON citations (target);

-- Which Harnesses have a Case that cites an Item of which Interface: what citations say, kept to be found fast.
CREATE TABLE checked_by (
  interface  TEXT NOT NULL,
  harness    TEXT NOT NULL,
  PRIMARY KEY (interface, harness)
) WITHOUT ROWID;
CREATE INDEX checked_by_harness ON checked_by (harness);

-- Every Pin there was; the latest of an Interface is the one that counts.
CREATE TABLE pins (
  id         TEXT PRIMARY KEY,
  interface  TEXT NOT NULL,                   -- stays when the Interface is retired
  latest     INTEGER NOT NULL,                -- 1 or 0
  code       BLOB NOT NULL REFERENCES texts (digest)
) WITHOUT ROWID;
CREATE UNIQUE INDEX pins_latest ON pins (interface) WHERE latest = 1;

CREATE TABLE pin_basis (
  pin       TEXT NOT NULL REFERENCES pins (id),
  asset     TEXT NOT NULL,
  role      TEXT NOT NULL,                    -- interface, harness, contract, used_interface
  revision  INTEGER NOT NULL,
  PRIMARY KEY (pin, asset, role)
) WITHOUT ROWID;
CREATE INDEX pin_basis_asset ON pin_basis (asset);

-- What left the model: names and revisions, never the text; these rows only grow.
CREATE TABLE retired (
  id             TEXT PRIMARY KEY,
  place          INTEGER NOT NULL UNIQUE,     -- from 1, the order of retiring
  kind           TEXT NOT NULL,               -- context, contract, interface, harness, clause, item, case
  context        TEXT NOT NULL,               -- the id of its Context
  context_name   TEXT NOT NULL,
  asset_name     TEXT,                        -- null for a Context
  part_name      TEXT,                        -- null but for a part
  holder         TEXT,                        -- the asset a part was in
  last_revision  INTEGER NOT NULL,
  at             INTEGER NOT NULL             -- the revision of what held it, once it was retired
) WITHOUT ROWID;
CREATE INDEX retired_name ON retired (context, kind, asset_name);

-- What was asked, by whom and why.
CREATE TABLE change_requests (
  id         TEXT PRIMARY KEY,
  title      TEXT NOT NULL UNIQUE,
  intent     TEXT NOT NULL,                   -- change_behavior, keep_behavior
  situation  TEXT,
  issuer     TEXT,
  parent     TEXT REFERENCES change_requests (id),
  resolved   INTEGER NOT NULL                 -- 1 or 0: whether its last step resolved it
) WITHOUT ROWID;
CREATE INDEX change_requests_parent ON change_requests (parent) WHERE parent IS NOT NULL;

-- How it ended, and began again; these rows only grow.
CREATE TABLE cr_steps (
  request     TEXT NOT NULL REFERENCES change_requests (id),
  place       INTEGER NOT NULL,               -- from 0
  resolution  TEXT,                           -- done, wont_do, invalid, duplicate, superseded; null: reopened
  of_request  TEXT REFERENCES change_requests (id),  -- that a duplicate or a superseded points at
  reason      TEXT NOT NULL,
  by_kind     TEXT NOT NULL,                  -- person, role
  by_name     TEXT NOT NULL,
  at          INTEGER NOT NULL,               -- milliseconds since 1970, UTC
  corrected   TEXT,                           -- JSON: the fields of a correction; null: this is none
  PRIMARY KEY (request, place)
) WITHOUT ROWID;

-- What was corrected in a Crux or in the run of a check; a request has it among its steps.
CREATE TABLE corrections (
  record   TEXT NOT NULL,
  place    INTEGER NOT NULL,
  fields   TEXT NOT NULL,                     -- JSON
  reason   TEXT NOT NULL,
  by_kind  TEXT NOT NULL,
  by_name  TEXT NOT NULL,
  at       INTEGER NOT NULL,
  PRIMARY KEY (record, place)
) WITHOUT ROWID;

CREATE TABLE cr_expects (
  request   TEXT NOT NULL REFERENCES change_requests (id),
  place     INTEGER NOT NULL,                 -- from 0, in the order they are answered
  kind      TEXT NOT NULL,                    -- target, keep
  target    TEXT NOT NULL,                    -- project, context, contract, interface, harness, clause, item, case
  id        TEXT NOT NULL,
  asset     TEXT,                             -- of a Clause, an Item or a Case: what it is in
  recorded  INTEGER NOT NULL,                 -- its revision when the request was opened
  PRIMARY KEY (request, place)
) WITHOUT ROWID;
CREATE INDEX cr_expects_id ON cr_expects (id);
CREATE INDEX cr_expects_asset ON cr_expects (asset) WHERE asset IS NOT NULL;

CREATE TABLE cr_addresses (
  request  TEXT NOT NULL REFERENCES change_requests (id),
  place    INTEGER NOT NULL,
  rule     TEXT NOT NULL,
  kind     TEXT,                              -- of the subject; null for the Project
  id       TEXT,
  PRIMARY KEY (request, place)
) WITHOUT ROWID;
CREATE INDEX cr_addresses_subject ON cr_addresses (id, rule);

CREATE TABLE cr_assumptions (
  request    TEXT NOT NULL REFERENCES change_requests (id),
  place      INTEGER NOT NULL,
  statement  TEXT NOT NULL,
  reason     TEXT NOT NULL,
  evidence   TEXT NOT NULL,                   -- JSON: what the operation gave
  PRIMARY KEY (request, place)
) WITHOUT ROWID;

-- A question that nobody can derive, in the request that it stops.
CREATE TABLE cruxes (
  id                      TEXT PRIMARY KEY,
  request                 TEXT NOT NULL REFERENCES change_requests (id),
  kind                    TEXT NOT NULL,      -- ambiguity, conflict, model, disagreement
  question                TEXT NOT NULL,
  importance              TEXT,               -- low, normal, high
  supersedes              TEXT REFERENCES cruxes (id),
  recommended_option      TEXT,
  recommended_reason      TEXT,
  recommended_confidence  INTEGER             -- a percentage
) WITHOUT ROWID;
CREATE INDEX cruxes_request ON cruxes (request);
CREATE INDEX cruxes_supersedes ON cruxes (supersedes) WHERE supersedes IS NOT NULL;

CREATE TABLE crux_findings (
  crux   TEXT NOT NULL REFERENCES cruxes (id),
  place  INTEGER NOT NULL,
  rule   TEXT NOT NULL,
  kind   TEXT,                                -- of the subject; null for the Project
  id     TEXT,
  PRIMARY KEY (crux, place)
) WITHOUT ROWID;

CREATE TABLE crux_options (
  id           TEXT PRIMARY KEY,
  crux         TEXT NOT NULL REFERENCES cruxes (id),
  place        INTEGER NOT NULL,
  choice       TEXT NOT NULL,
  wording      TEXT,
  consequence  TEXT
) WITHOUT ROWID;
CREATE INDEX crux_options_crux ON crux_options (crux, place);

-- What an option asks of targets.
CREATE TABLE crux_asks (
  option  TEXT NOT NULL REFERENCES crux_options (id),
  place   INTEGER NOT NULL,
  kind    TEXT NOT NULL,                      -- target, keep
  target  TEXT NOT NULL,                      -- as in cr_expects
  id      TEXT NOT NULL,
  PRIMARY KEY (option, place)
) WITHOUT ROWID;

-- The decision of a Crux; it is written once.
CREATE TABLE crux_answers (
  crux             TEXT PRIMARY KEY REFERENCES cruxes (id),
  id               TEXT NOT NULL,
  form             TEXT NOT NULL,             -- chosen, worded, unspecified, withdrawn
  option           TEXT,
  wording          TEXT,
  reason           TEXT,
  policy_line      TEXT,                      -- of the basis; null: the basis is arbitrary
  policy_text      TEXT,                      -- what the line said then
  policy_revision  INTEGER,
  arbitrary        TEXT,
  by_kind          TEXT NOT NULL,
  by_name          TEXT NOT NULL,
  at               INTEGER NOT NULL,
  declined         TEXT                       -- why what is outside the request is not done
) WITHOUT ROWID;
CREATE INDEX crux_answers_line ON crux_answers (policy_line) WHERE policy_line IS NOT NULL;

-- What must still hold where a question was left unspecified.
CREATE TABLE crux_keeps (
  crux   TEXT NOT NULL REFERENCES cruxes (id),
  place  INTEGER NOT NULL,
  text   TEXT NOT NULL,
  PRIMARY KEY (crux, place)
) WITHOUT ROWID;

-- The requests that do what a decision added outside its own.
CREATE TABLE crux_beyond (
  crux     TEXT NOT NULL REFERENCES cruxes (id),
  place    INTEGER NOT NULL,
  request  TEXT NOT NULL REFERENCES change_requests (id),
  PRIMARY KEY (crux, place)
) WITHOUT ROWID;

-- What decisions ask of the targets of their requests.
CREATE TABLE cr_decided (
  crux           TEXT NOT NULL REFERENCES cruxes (id),
  place          INTEGER NOT NULL,
  request        TEXT NOT NULL REFERENCES change_requests (id),
  kind           TEXT NOT NULL,               -- target, keep
  target         TEXT NOT NULL,
  id             TEXT NOT NULL,
  asset          TEXT,
  recorded       INTEGER NOT NULL,            -- its revision when it was decided
  taken_back_by  TEXT REFERENCES cruxes (id), -- the Crux that replaced the decision; null while it stands
  PRIMARY KEY (crux, place)
) WITHOUT ROWID;
CREATE INDEX cr_decided_request ON cr_decided (request);
CREATE INDEX cr_decided_id ON cr_decided (id);
CREATE INDEX cr_decided_asset ON cr_decided (asset) WHERE asset IS NOT NULL;

-- The lines that a decision may be derived from. One row once they were put.
CREATE TABLE policy (
  only      INTEGER PRIMARY KEY CHECK (only = 1),
  revision  INTEGER NOT NULL
);
CREATE TABLE policy_lines (
  id          TEXT PRIMARY KEY,               -- P and a number
  place       INTEGER NOT NULL,
  text        TEXT NOT NULL,
  changed_at  INTEGER NOT NULL                -- the revision in which it got this text
) WITHOUT ROWID;

-- What a change set for a request moved; these rows only grow.
CREATE TABLE footprints (
  id              TEXT PRIMARY KEY,
  request         TEXT NOT NULL REFERENCES change_requests (id),
  store_revision  INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX footprints_request ON footprints (request);

CREATE TABLE footprint_moves (
  footprint  TEXT NOT NULL REFERENCES footprints (id),
  place      INTEGER NOT NULL,
  kind       TEXT NOT NULL,                   -- as in cr_expects.target
  id         TEXT NOT NULL,
  context    TEXT,
  asset      TEXT,
  before     INTEGER,                         -- its revision; null: it was not there
  after      INTEGER,
  was        TEXT,                            -- a digest of what it said
  now        TEXT,
  own        INTEGER NOT NULL,                -- 1: a container that moved for more than what is in it
  outside    INTEGER NOT NULL,                -- 1: outside the frame of the request
  PRIMARY KEY (footprint, place)
) WITHOUT ROWID;
CREATE INDEX footprint_moves_outside ON footprint_moves (id) WHERE outside = 1;

CREATE TABLE footprint_renames (
  footprint  TEXT NOT NULL REFERENCES footprints (id),
  place      INTEGER NOT NULL,
  kind       TEXT NOT NULL,                   -- clause, item
  id         TEXT NOT NULL,
  context    TEXT,
  asset      TEXT,
  was        TEXT NOT NULL,                   -- the name
  now        TEXT NOT NULL,
  outside    INTEGER NOT NULL,
  PRIMARY KEY (footprint, place)
) WITHOUT ROWID;
CREATE INDEX footprint_renames_outside ON footprint_renames (id) WHERE outside = 1;

-- What the Cases that a set moved cited, before it and after it.
CREATE TABLE footprint_cites (
  footprint  TEXT NOT NULL REFERENCES footprints (id),
  case_id    TEXT NOT NULL,
  place      INTEGER NOT NULL,
  kind       TEXT NOT NULL,                   -- clause, item
  id         TEXT NOT NULL,
  context    TEXT,
  asset      TEXT,
  PRIMARY KEY (footprint, case_id, place)
) WITHOUT ROWID;

-- Every run of an external check; the latest of a rule is the result that is shown.
CREATE TABLE check_runs (
  id              TEXT PRIMARY KEY,
  rule            TEXT NOT NULL,
  latest          INTEGER NOT NULL,           -- 1 or 0
  moment          TEXT NOT NULL,              -- edit, pin, resolve, check
  store_revision  INTEGER NOT NULL,           -- that the model was read at
  at              INTEGER NOT NULL,           -- milliseconds since 1970, UTC
  failure         TEXT,                       -- why there is no reply
  input_stamp     TEXT NOT NULL,              -- a digest of the model that was sent
  config_stamp    TEXT NOT NULL,              -- a digest of the registration and its policy
  command         TEXT NOT NULL,
  exit_code       INTEGER,
  stderr          TEXT NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX check_runs_latest ON check_runs (rule) WHERE latest = 1;

CREATE TABLE check_run_findings (
  run      TEXT NOT NULL REFERENCES check_runs (id),
  place    INTEGER NOT NULL,
  kind     TEXT,                              -- of the subject; null for the whole project
  id       TEXT,
  message  TEXT NOT NULL,
  level    TEXT,                              -- null: the one the rule is held to
  PRIMARY KEY (run, place)
) WITHOUT ROWID;

-- The latest report of each judged rule.
CREATE TABLE judged_reports (
  rule         TEXT PRIMARY KEY,
  judge        TEXT NOT NULL,
  read_at      INTEGER NOT NULL,              -- the store revision that was read
  at           INTEGER NOT NULL,
  older        INTEGER NOT NULL,              -- 1: the model had moved since it was read
  rule_digest  TEXT NOT NULL,
  scope        TEXT NOT NULL                  -- a stamp over every subject there was
) WITHOUT ROWID;

CREATE TABLE judged_findings (
  rule     TEXT NOT NULL REFERENCES judged_reports (rule),
  place    INTEGER NOT NULL,
  kind     TEXT NOT NULL,
  id       TEXT,                              -- null for the Project
  message  TEXT NOT NULL,
  level    TEXT,
  stamp    TEXT NOT NULL,                     -- of what the subject said
  PRIMARY KEY (rule, place)
) WITHOUT ROWID;

INSERT INTO store VALUES (1, 0, 0, 0);
"""
