import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { resolve as resolvePath } from 'node:path';
import type { CodeSample } from '../code-samples/code-samples.ts';
import type { JsonObject } from '../json.ts';
import { html, raw, type Html } from './html.ts';
import { toAnchor, markdown } from './markdown.ts';
import { operationSection, type Shown } from './operation.ts';
import { resolver } from './schema.ts';

type Show = (operation: Shown) => Html;
type Chapter = { readonly name: string; readonly text: string; readonly operations: readonly Shown[] };
export type Page = { readonly html: string; readonly contentSecurityPolicy: string };

/**
 * Renders the interface as one page for readers: no picture, nothing from other hosts, one script of its own for search and
 * copying. It works offline, without the script, and under the strictest policy, which is returned with it.
 */
export async function renderPage(document: JsonObject): Promise<Page> {
  const style = await readFile(resolvePath(import.meta.dirname, 'page.css'), 'utf8');
  const script = await readScript();
  const { title, version, summary, description } = document['info'] as Record<string, string>;
  const resolve = resolver(document);
  const show: Show = (operation) => operationSection(operation, resolve);
  const chapters = collectChapters(document);
  const events = listEvents(document);
  const guides = description ?? '';
  const nav = navigation(guides, chapters, events);
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
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
        <main id="top">
          <h1>${title}</h1>
          <p class="lead">${summary}</p>
          <article>${markdown(guides)}</article>
          ${chapters.map((chapter) => chapterSection(chapter, show))}
          <h2 id="events-sent">Events sent</h2>
          ${events.map(show)}
        </main>
        ${raw(`<script>${script}</script>`)}
      </body>
    </html> `;
  return { html: page.text, contentSecurityPolicy: policy(style, script) };
}

/** Returns the page's script as browsers run it: one block of its own, without types and exports. */
async function readScript(): Promise<string> {
  const source = await readFile(resolvePath(import.meta.dirname, '../browser/page.ts'), 'utf8');
  return `{\n${stripTypeScriptTypes(source).replace(/^export \{\};$/m, '')}}\n`;
}

/** Forbids everything but this very style sheet and this very script. */
function policy(style: string, script: string): string {
  const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const nothing = ['default-src', 'base-uri', 'form-action', 'frame-ancestors'].map(
    (rule) => `${rule} 'none'`,
  );
  return [...nothing, `script-src ${hash(script)}`, `style-src ${hash(style)}`].join('; ');
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
