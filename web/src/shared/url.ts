/** A value of a query parameter: nested objects become `sort[name]=asc`, lists become `groups=3,5`. */
export type QueryValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly (string | number)[]
  | { readonly [name: string]: QueryValue };
export type Query = { readonly [name: string]: QueryValue };
export type Params = { readonly [name: string]: string | number };

const API_BASE = '/v1';

function* pairsOf(name: string, value: QueryValue): Generator<string> {
  if (value === undefined || value === null) return;
  if (Array.isArray(value)) {
    if (value.length > 0) yield `${name}=${value.map((item) => encodeURIComponent(item)).join(',')}`;
  } else if (typeof value === 'object') {
    for (const [key, inner] of Object.entries(value)) yield* pairsOf(`${name}[${encodeURIComponent(key)}]`, inner);
  } else yield `${name}=${encodeURIComponent(value)}`;
}

/** The query string with its question mark, or an empty string. Parameters keep their order. */
export function queryString(query: Query = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => [...pairsOf(encodeURIComponent(name), value)]);
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

/** URL of a call: `urlOf('/enterprises/{id}', { id: 7 })` returns `/v1/enterprises/7`. */
export function urlOf(path: string, params: Params = {}, query: Query = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`${path} needs the parameter ${name}`);
    return encodeURIComponent(value);
  });
  return API_BASE + filled + queryString(query);
}

/** Returns the query string of a URL with some parameters changed. Those that are null or empty are removed. */
export function withParameters(search: string, changes: Readonly<Record<string, string | null>>): string {
  const query = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) {
    if (value) query.set(name, value);
    else query.delete(name);
  }
  const text = String(query);
  return text && `?${text}`;
}
