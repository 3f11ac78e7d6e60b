#!/usr/bin/env python3
"""Writes all known attacks and all broken models as pages with an index: gallery.py PROGRAM MODELS FOLDER."""
import html
import json
import pathlib
import subprocess
import sys

STYLE = """body{font:15px/1.5 system-ui,sans-serif;max-width:75em;margin:2em auto;padding:0 1em}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.4em .7em;border-bottom:1px solid #bbb;
vertical-align:top}@media(prefers-color-scheme:dark){body{background:#12161c;color:#e8ecf2}a{color:#7db7ff}}"""


def run(program, *words, codes=(0,)):
    done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
    if done.returncode not in codes:
        sys.exit(f"gallery: {' '.join(words)}: exit code {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def table(heading, columns, rows):
    head = "".join(f"<th scope=col>{html.escape(name)}</th>" for name in columns)
    body = ""
    for file, title, *cells in rows:
        link = f'<a href="{html.escape(file)}">{html.escape(title)}</a>'
        body += "<tr>" + "".join(f"<td>{cell}</td>" for cell in [link, *map(html.escape, cells)]) + "</tr>\n"
    return f"<h2>{html.escape(heading)}</h2>\n<table><thead><tr>{head}</tr></thead><tbody>\n{body}</tbody></table>\n"


def attacks(program, folder):
    for attack in json.loads(run(program, "attack", "--list", "--json"))["attacks"]:
        file = attack["name"] + ".html"
        run(program, "report", attack["name"], "-o", str(folder / file))
        yield file, attack["name"], attack["protocol"], attack["property"], attack["source"]


def models(program, sources, folder):
    for source in sorted(sources.glob("*-broken.ta")):
        file = source.stem + ".html"
        run(program, "verify", str(source), "--html", str(folder / file), codes=(1,))
        for page in sorted(folder.glob(source.stem + "*.html")):
            yield page.name, page.stem, source.name


def main():
    program, sources, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    body = table("Attacks", ["attack", "protocol", "breaks", "from"], attacks(program, folder))
    body += table("Broken algorithms, for all n, t and f", ["page", "model"], models(program, sources, folder))
    index = (f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Nika: gallery</title>\n'
             f"<style>{STYLE}</style></head><body><h1>Nika: what can go wrong</h1>\n"
             "<p>Each page is one file that shows one run, step by step, and needs no network.</p>\n"
             f"{body}</body></html>\n")
    (folder / "index.html").write_text(index, encoding="utf-8")
    print(f"{len(list(folder.glob('*.html')))} pages: {folder}/index.html")


main()
