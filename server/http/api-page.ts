import { z } from 'zod';
import { PAGE_STYLE } from './api-page-style.ts';
import { schemaText } from './schema-text.ts';

const content = z.record(z.string(), z.object({ schema: z.unknown() }));
const header = z.object({ description: z.string().optional(), schema: z.unknown() });
const operation = z.object({
  summary: z.string(),
  security: z.array(z.record(z.string(), z.unknown())),
  parameters: z.array(
    z.object({ name: z.string(), in: z.string(), required: z.boolean(), description: z.string().optional(), schema: z.unknown() }),
  ),
  requestBody: z.object({ content }).optional(),
  responses: z.record(
    z.string(),
    z.object({ description: z.string(), content: content.optional(), headers: z.record(z.string(), header).optional() }),
  ),
});
type Operation = z.infer<typeof operation>;

/** What the page reads of an OpenAPI document. */
const apiDocument = z.object({
  info: z.object({ title: z.string(), description: z.string() }),
  servers: z.tuple([z.object({ url: z.string() })]),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

const CREDENTIALS: Readonly<Record<string, string>> = { accessKey: 'X-Access-Key: key', adminToken: 'Authorization: Bearer token' };

/** One page that shows an OpenAPI document: by path, with who may call, what goes in and what comes back. */
export function apiPage(document: unknown): string {
  const { info, servers, paths, components } = apiDocument.parse(document);
  const all = Object.entries(paths);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(info.title)} API</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>${PAGE_STYLE}</style>
</head>
<body>
<header>
<h1>${escaped(info.title)} API</h1>
<p>${escaped(info.description)} All paths lie under <code>${escaped(servers[0].url)}</code>; the same as data:
<a href="/api/openapi.json">openapi.json</a>.</p>
</header>
<div class="page">
<nav aria-label="Paths"><ul>
${all.map(([path, methods]) => `<li><a href="#${anchor(path)}">${escaped(path)}</a> ${Object.keys(methods).map(badge).join(' ')}</li>`).join('\n')}
</ul></nav>
<main>
${all.map(([path, methods]) => section(path, methods)).join('\n')}
<section id="shapes"><h2>Shapes</h2>
${Object.entries(components.schemas)
  .map(([name, schema]) => `<h3>${escaped(name)}</h3>${shape(schema)}`)
  .join('\n')}
</section>
</main>
</div>
</body>
</html>
`;
}

const anchor = (path: string): string => path.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '');
const badge = (method: string): string => `<span class="method ${escaped(method)}">${escaped(method.toUpperCase())}</span>`;
const shape = (schema: unknown): string => `<pre tabindex="0">${escaped(schemaText(schema))}</pre>`;

function section(path: string, methods: Record<string, Operation>): string {
  const calls = Object.entries(methods).map(([method, each]) => call(method, path, each));
  return `<section id="${anchor(path)}"><h2>${escaped(path)}</h2>\n${calls.join('\n')}</section>`;
}

function call(method: string, path: string, { summary, security, parameters, requestBody, responses }: Operation): string {
  const bodies = Object.entries(requestBody?.content ?? {}).map(
    ([type, { schema }]) => `<h4>Body <small>${escaped(type)}</small></h4>${shape(schema)}`,
  );
  return `<article aria-label="${escaped(`${method.toUpperCase()} ${path}`)}">
<h3>${badge(method)} ${escaped(summary)}</h3>
<p class="access">${access(security)}</p>
${parameters.length > 0 ? table(parameters) : ''}
${bodies.join('\n')}
${Object.entries(responses).map(answer).join('\n')}
</article>`;
}

function access(security: Operation['security']): string {
  const ways = security.flatMap((way) => Object.keys(way)).map((way) => `<code>${escaped(CREDENTIALS[way] ?? way)}</code>`);
  if (ways.length === 0) return 'Open to anybody';
  const open = security.some((way) => Object.keys(way).length === 0);
  return `Needs ${ways.join(' or ')}${open ? ', or a key in the body' : ''}`;
}

function table(parameters: Operation['parameters']): string {
  const rows = parameters.map(
    ({ name, in: place, required, description, schema }) =>
      `<tr><th scope="row"><code>${escaped(name)}</code></th><td>${escaped(place)}${required ? '' : ', optional'}</td>` +
      `<td>${escaped([schemaText(schema), description].filter(Boolean).join('. '))}</td></tr>`,
  );
  return `<table><caption>Parameters</caption><tbody>${rows.join('')}</tbody></table>`;
}

function answer([status, { description, content = {}, headers = {} }]: [string, Operation['responses'][string]]): string {
  const told = Object.entries(headers).map(([name, each]) => `<li><code>${escaped(name)}</code> ${escaped(each.description ?? '')}</li>`);
  const inside =
    (told.length > 0 ? `<ul>${told.join('')}</ul>` : '') +
    Object.values(content)
      .map(({ schema }) => shape(schema))
      .join('');
  const title = `<code>${escaped(status === 'default' ? 'else' : status)}</code> ${escaped(description)}`;
  return inside ? `<details><summary>${title}</summary>${inside}</details>` : `<p class="bare">${title}</p>`;
}
