import { readFile } from 'node:fs/promises';
import { resolve as resolvePath } from 'node:path';
import type { CodeSample } from '../code-samples/code-samples.ts';
import type { JsonObject } from '../json.ts';
import { selectChanges } from './changelog.ts';
import { html, raw, type Html } from './html.ts';
import { toAnchor, markdown } from './markdown.ts';
import { operationSection, type Shown } from './operation.ts';
import { resolver } from './schema.ts';
import { computeHash, readPageScript, readTryItScript } from './scripts.ts';

type Show = (operation: Shown) => Html;
type Chapter = { readonly name: string; readonly text: string; readonly operations: readonly Shown[] };
export type Page = { readonly html: string; readonly contentSecurityPolicy: string };

/**
 * Renders the interface as one page for readers: no picture, nothing from other hosts, one script of its own for search and
 * copying, and one that is loaded to send requests. It can be read offline, without the scripts, and under the strictest
 * policy, which is returned with it.
 */
export async function renderPage(document: JsonObject, changelog: string): Promise<Page> {
  const style = await readStyle();
  const script = await readPageScript();
  const tryIt = computeHash(await readTryItScript(document));
  const { title, version, summary, description } = document['info'] as Record<string, string>;
  const resolve = resolver(document);
  const show: Show = (operation) => operationSection(operation, resolve);
  const chapters = collectChapters(document);
  const events = listEvents(document);
  const guides = `${description}\n\n${selectChanges(changelog)}`;
  const nav = navigation(guides, chapters, events);
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="description" content="${summary}" />
        <title>${title} API ${version}</title>
        ${raw(`<style>${style}</style>`)}
      </head>
      <body>
        <header>
          <a href="#top">${title}</a> <span>API ${version}</span>
          ${languageSwitch(document)}
          <form class="search" role="search" hidden>
            <input
              type="search"
              placeholder="Search"
              aria-label="Search"
              autocomplete="off"
              spellcheck="false"
            />
            <ul aria-label="Found" hidden></ul>
          </form>
          <a class="file" href="openapi.json">openapi.json</a>
        </header>
        <details class="menu">
          <summary>Contents</summary>
          ${nav}
        </details>
        <nav class="side">${nav}</nav>
        <main id="top" data-try-it="docs/try-it.js" data-integrity="${tryIt}">
          <h1>${title}</h1>
          <p class="lead">${summary}</p>
          <p class="downloads">
            <a href="openapi.json">OpenAPI 3.1</a>
            <a href="docs/group-payments.postman_collection.json" download
              >Collection for Postman and Bruno</a
            >
          </p>
          <article>
            ${splitGuides(guides).map((guide) => html`<section>${markdown(guide)}</section>`)}
          </article>
          ${chapters.map((chapter) => chapterSection(chapter, show))}
          <h2 id="events-sent">Events sent</h2>
          ${events.map(show)}
        </main>
        ${raw(`<script>${script}</script>`)}
      </body>
    </html> `;
  return { html: page.text, contentSecurityPolicy: policy(style, [computeHash(script), tryIt]) };
}

/** Reads the style sheet without its comments. */
async function readStyle(): Promise<string> {
  const text = await readFile(resolvePath(import.meta.dirname, 'page.css'), 'utf8');
  return text.replaceAll(/\s*\/\*.*?\*\//gs, '');
}

/**
 * Forbids everything but this very style sheet, this very script and that of the form, and lets the form ask the host that
 * served the page.
 */
function policy(style: string, scripts: readonly string[]): string {
  const quote = (hashes: readonly string[]): string => hashes.map((hash) => `'${hash}'`).join(' ');
  const nothing = ['default-src', 'base-uri', 'form-action', 'frame-ancestors'].map(
    (rule) => `${rule} 'none'`,
  );
  return [
    ...nothing,
    "connect-src 'self'",
    `script-src ${quote(scripts)}`,
    `style-src ${quote([computeHash(style)])}`,
  ].join('; ');
}

function collectChapters(document: JsonObject): Chapter[] {
  const paths = Object.entries(document['paths'] as Record<string, Record<string, JsonObject>>);
  const all = paths.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Shown => ({ method, path, operation })),
  );
  const chapters = (document['tags'] as { name: string; description: string }[]).map(
    ({ name, description }) => ({
      name,
      text: description,
      operations: all.filter(({ operation }) => (operation['tags'] as string[])[0] === name),
    }),
  );
  return chapters.filter(({ operations }) => operations.length > 0);
}

function listEvents(document: JsonObject): Shown[] {
  const webhooks = Object.entries(document['webhooks'] as Record<string, { post: JsonObject }>);
  return webhooks.map(([path, { post }]) => ({ method: 'event', path, operation: post }));
}

function chapterSection({ name, text, operations }: Chapter, show: Show): Html {
  return html`<h2 id="${chapterAnchor(name)}">${name}</h2>
    <p>${text}</p>
    ${operations.map(show)}`;
}

/** Renders a button for each language of the samples; the style sheet alone shows the samples of the chosen one. */
function languageSwitch(document: JsonObject): Html {
  const paths = Object.values(document['paths'] as Record<string, Record<string, JsonObject>>);
  const samples = paths.flatMap((methods) =>
    Object.values(methods).flatMap(
      (operation) => (operation['x-codeSamples'] ?? []) as readonly CodeSample[],
    ),
  );
  const labels = [...new Set(samples.map(({ label }) => label))];
  return html`<fieldset class="languages">
    <legend>Language of samples</legend>
    ${labels.map(
      (label, index) =>
        html`<label
          ><input type="radio" name="language" value="${toAnchor(label)}" ${index === 0 && 'checked'} /><span
            >${label}</span
          ></label
        >`,
    )}
  </fieldset>`;
}

/** Prefixes the anchor, because a guide may have the same name as a chapter. */
const chapterAnchor = (name: string): string => `operations-${toAnchor(name)}`;

/** Returns each guide with its heading: browsers lay out the parts of a long page that are far from the screen when they come near. */
const splitGuides = (guides: string): string[] => guides.split(/^(?=# )/m);

function navigation(guides: string, chapters: readonly Chapter[], events: readonly Shown[]): Html {
  const headings = [...guides.matchAll(/^# (.+)$/gm)].map(([, text = '']) => text);
  const link = ({ operation }: Shown) =>
    html`<li><a href="#${String(operation['operationId'])}">${String(operation['summary'])}</a></li>`;
  return html`<p>Guides</p>
    <ul>
      ${headings.map((text) => html`<li><a href="#${toAnchor(text)}">${text}</a></li>`)}
    </ul>
    ${chapters.map(
      ({ name, operations }) =>
        html`<p><a href="#${chapterAnchor(name)}">${name}</a></p>
          <ul>
            ${operations.map(link)}
          </ul>`,
    )}
    <p><a href="#events-sent">Events sent</a></p>
    <ul>
      ${events.map(link)}
    </ul>`;
}
