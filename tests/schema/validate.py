"""validate.py SCHEMA_FOLDER FILE…: holds each JSON to the schema that it names in its "schema".

Also holds every key to be wanted: a report without its "summary", say, has to be refused.
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


def main(folder, files):
    for file in files:
        document = json.loads(pathlib.Path(file).read_text("utf-8"))
        name = re.fullmatch(r"rope-check-([a-z-]+)/\d+", document["schema"])[1] + ".json"
        check = validator(pathlib.Path(folder), name)
        for error in check.iter_errors(document):
            sys.exit(f"{file}: {name}: {error.json_path}: {error.message[:300]}")
        for key in document:
            less = {k: v for k, v in document.items() if k != key}
            if key not in ("baseline", "lint") and check.is_valid(less):
                sys.exit(f"{file}: {name}: is as good without '{key}'")
        if check.is_valid({**document, "unknown": 1}):
            sys.exit(f"{file}: {name}: takes an unknown key")
        print(f"{file}: as {name} says")


main(sys.argv[1], sys.argv[2:])
