"""validate.py SCHEMA_FOLDER FILE…: validates each JSON with the schema that its "schema" names.

Also checks that every key is required (a report without its "summary" must be refused), that every field of every
schema has a description of one sentence, and that the schema of reports describes the fields of the files' checks.
"""
import json
import pathlib
import re
import sys

import jsonschema


def validator(folder, name):
    schemas = {p.name: json.loads(p.read_text("utf-8")) for p in folder.glob("*.json")}
    for schema in schemas.values():
        jsonschema.Draft202012Validator.check_schema(schema)
    resolver = jsonschema.RefResolver(name, schemas[name], store=schemas)
    return jsonschema.Draft202012Validator(schemas[name], resolver=resolver)


def fields(schema, path=""):
    """(path, subschema) of each field at any depth."""
    if isinstance(schema, dict):
        for name, field in schema.get("properties", {}).items():
            yield f"{path}/{name}", field
        for key, value in schema.items():
            yield from fields(value, path if key == "properties" else f"{path}/{key}")
    elif isinstance(schema, list):
        for value in schema:
            yield from fields(value, path)


def undescribed(folder):
    for path in sorted(pathlib.Path(folder).glob("*.json")):
        for field, schema in fields(json.loads(path.read_text("utf-8"))):
            if not re.fullmatch(r"[A-Za-z].{6,190}\.", schema.get("description", "")):
                yield f"{path.name}: {field} has no description that is a sentence"


def unknown_fields(folder, document):
    """Fields of checks that the schema of reports does not describe."""
    known = json.loads((pathlib.Path(folder) / "report.json").read_text("utf-8"))["$defs"]["finding"]
    patterns = [*map(re.escape, known["properties"]), *known["patternProperties"]]
    for report in document.get("reports", [document]):
        for finding in report.get("findings", []):
            yield from (key for key in finding if not any(re.fullmatch(one.strip("^$"), key) for one in patterns))


def main(folder, files):
    for fault in undescribed(folder):
        sys.exit(fault)
    for file in files:
        document = json.loads(pathlib.Path(file).read_text("utf-8"))
        name = re.fullmatch(r"rope-check-([a-z-]+)/\d+", document["schema"])[1] + ".json"
        check = validator(pathlib.Path(folder), name)
        for error in check.iter_errors(document):
            sys.exit(f"{file}: {name}: {error.json_path}: {error.message[:300]}")
        for key in unknown_fields(folder, document):
            sys.exit(f"{file}: report.json does not describe '{key}' of a check")
        for key in document:
            less = {k: v for k, v in document.items() if k != key}
            if key not in ("baseline", "lint") and check.is_valid(less):
                sys.exit(f"{file}: {name}: is as good without '{key}'")
        if check.is_valid({**document, "unknown": 1}):
            sys.exit(f"{file}: {name}: takes an unknown key")
        print(f"{file}: as {name} says")


main(sys.argv[1], sys.argv[2:])
