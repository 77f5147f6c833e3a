"""SDFormat: element table, upgrades, includes, the typed model, reading."""
