import { api } from '#contract/api.ts';
import { openapiDocument } from '#contract/openapi.ts';

type Json = Record<string, unknown>;

const escape = (text: unknown): string =>
  (typeof text === 'string' ? text : '').replace(
    /[&<>"]/g,
    (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign,
  );

const textOf = (example: unknown): string => (typeof example === 'string' ? example : JSON.stringify(example, null, 2));

/** The descriptions use two marks: code and bold. */
const marked = (text: unknown): string =>
  escape(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<b>$1</b>')
    .replace(/\n\n/g, '<br>');

function shape(schema: Json | undefined, depth = 0): string {
  if (!schema) return '';
  // A shared schema is referenced by name.
  if (typeof schema.$ref === 'string') return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  const choices = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  if (choices) return choices.map((choice) => shape(choice, depth)).join(' | ');
  if (schema.enum) return (schema.enum as unknown[]).map((value) => JSON.stringify(value)).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.type === 'array') return `[${shape(schema.items as Json, depth)}]`;
  if (schema.type !== 'object' || !schema.properties)
    return [schema.format, schema.type, 'any'].find((word) => typeof word === 'string') as string;
  const required = (schema.required ?? []) as string[];
  const indent = '  '.repeat(depth + 1);
  const fields = Object.entries(schema.properties as Record<string, Json>).map(
    ([name, field]) => `${indent}${name}${required.includes(name) ? '' : '?'}: ${shape(field, depth + 1)}`,
  );
  return fields.length === 0 ? '{}' : `{\n${fields.join(',\n')}\n${'  '.repeat(depth)}}`;
}

function callSection(path: string, verb: string, operation: Json): string {
  const parameters = operation.parameters as {
    name: string;
    in: string;
    required: boolean;
    schema: Json;
    description?: string;
    example?: unknown;
  }[];
  const body = (operation.requestBody as { content: Record<string, { schema: Json; example?: unknown }> } | undefined)
    ?.content;
  const responses = operation.responses as Record<
    string,
    { description: string; content: Record<string, { schema: Json }> }
  >;
  const id = escape(operation.operationId);
  const errors = Object.entries(responses).filter(([status]) => status !== '200');
  return `<section aria-labelledby="${id}"><h3 id="${id}"><code><b>${verb.toUpperCase()}</b> ${escape(path)}</code></h3>
<p><b>${escape(operation.summary)}.</b> ${marked(operation.description)}</p>
${
  parameters.length
    ? `<table><thead><tr><th scope="col">Parameter</th><th scope="col">In</th><th scope="col">Takes</th></tr></thead><tbody>${parameters
        .map(
          (p) =>
            `<tr><th scope="row"><code>${escape(p.name)}</code>${p.required ? '' : ' (optional)'}</th><td>${p.in}</td><td><code>${escape(shape(p.schema))}</code> ${escape(p.description)}${p.example === undefined ? '' : ` For example <code>${escape(textOf(p.example))}</code>`}</td></tr>`,
        )
        .join('')}</tbody></table>`
    : ''
}
${Object.entries(body ?? {})
  .map(
    ([type, { schema, example }]) =>
      `<p>Body (${escape(type)})</p><pre tabindex="0">${escape(shape(schema))}</pre>${
        example === undefined ? '' : `<p>For example</p><pre tabindex="0">${escape(textOf(example))}</pre>`
      }`,
  )
  .join('')}
${Object.entries(responses['200']?.content ?? {})
  .map(([type, { schema }]) => `<p>Reply (${escape(type)})</p><pre tabindex="0">${escape(shape(schema))}</pre>`)
  .join('')}
<details><summary>Errors</summary><ul>${errors.map(([status, { description }]) => `<li><b>${status}</b> ${marked(description)}</li>`).join('')}</ul></details></section>`;
}

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.55 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
code,pre{font:14px/1.5 ui-monospace,monospace}pre{overflow:auto;padding:.8rem 1rem;border:1px solid color-mix(in srgb,currentColor 25%,transparent);border-radius:6px}
section{border-top:1px solid color-mix(in srgb,currentColor 25%,transparent);margin-top:2rem}h3{overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%}th,td{text-align:start;vertical-align:top;padding:.3rem .6rem .3rem 0;font-weight:inherit}td:last-child,li{overflow-wrap:anywhere}nav ul{columns:18rem}a{color:inherit}`;

/** The OpenAPI document as a readable page, without scripts or other resources. */
export function apiDocsPage(product: string): string {
  const { info, paths } = openapiDocument(api, product) as unknown as {
    info: Json;
    paths: Record<string, Record<string, Json>>;
  };
  const all = Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => ({
      path,
      verb,
      operation,
      tag: String((operation.tags as string[])[0]),
    })),
  );
  const tags = [...new Set(all.map(({ tag }) => tag))];
  return `<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escape(info.title)}: API reference</title><style>${STYLE}</style></head><body><main><h1>${escape(info.title)}: API reference</h1>
<p>${marked(info.description)} The same as an OpenAPI 3.1 document: <a href="/v1/openapi.json">openapi.json</a>.</p>
<nav aria-label="Calls"><ul>${all.map(({ path, verb, operation }) => `<li><a href="#${escape(operation.operationId)}">${verb.toUpperCase()} ${escape(path)}</a></li>`).join('')}</ul></nav>
${tags
  .map(
    (tag) =>
      `<h2>${escape(tag)}</h2>${all
        .filter((call) => call.tag === tag)
        .map(({ path, verb, operation }) => callSection(path, verb, operation))
        .join('')}`,
  )
  .join('')}
</main></body></html>`;
}
