import { api } from '#contract/api.ts';
import { openapiDocument } from '#contract/openapi.ts';
import { type Random, randomFrom } from '#seeds/random.ts';
import type { BuiltSchool } from './builder.ts';

type Json = Record<string, unknown>;
interface Operation {
  operationId: string;
  parameters: { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: Json }[];
  requestBody?: { content: Record<string, { schema: Json }> };
  responses: Record<string, unknown>;
}
type Method = 'GET' | 'POST' | 'DELETE';

/** A request to send, and the statuses it may be answered with. */
export interface FuzzRequest {
  operationId: string;
  method: Method;
  url: string;
  headers: Record<string, string>;
  payload: string | Buffer | undefined;
  remoteAddress: string;
  /** Statuses in the document, and 404 where the path was changed. */
  statuses: Set<number>;
}

const document = JSON.parse(JSON.stringify(openapiDocument(api, 'Fuzz'))) as {
  paths: Record<string, Record<string, Operation>>;
};
const operations = Object.entries(document.paths).flatMap(([path, verbs]) =>
  Object.entries(verbs).map(([verb, operation]) => ({ path, method: verb.toUpperCase() as Method, operation })),
);
export const operationIds: readonly string[] = operations.map(({ operation }) => operation.operationId);

/** Invalid values to send in a field. */
const HOSTILE: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  '',
  ' ',
  '0',
  '-1',
  'null',
  'a'.repeat(3000),
  '1'.repeat(80_000),
  `${'1'.repeat(30_000)}x`,
  `a${'\u0301\u0327'.repeat(2000)}`,
  '\0',
  'a\0b',
  '\ud800',
  'x\udc00y',
  '\u202Eabc',
  '\u{1F4DA}',
  'Łukasz Nguyễn',
  "O'Hara",
  "'; drop table pupils; --",
  '=1+1',
  '@SUM(A1)',
  '<script>alert(1)</script>',
  '{{7*7}}',
  '${7*7}',
  '../../../etc/passwd',
  'https://evil.example/',
  'a@b.example',
  '2026-11-21',
  '2026-02-30T25:00:00Z',
  '+275760-09-13T00:00:00Z',
  '00000000-0000-0000-0000-000000000000',
  [],
  {},
  [[]],
  [null],
  { a: { b: { c: [] } } },
  { __proto__: null, constructor: 1 },
  Array.from({ length: 300 }, (_, n) => n),
];
const HOSTILE_SEGMENTS = [
  '0',
  '-1',
  '1e3',
  '99999999999999999999',
  'null',
  '%00',
  '%ZZ',
  '%ED%A0%80',
  '..%2F..',
  "'",
  'a'.repeat(600),
  ' ',
  '1;2',
  '{id}',
];
const TYPES = [
  'application/json',
  'application/json; charset=utf-16',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'image/png',
  'nonsense',
  '',
];
const RAW_BODIES = [
  '{',
  '[]',
  'null',
  '""',
  '\0',
  '\uFEFF{}',
  '{"a":1,}',
  '['.repeat(20_000),
  '{"a":'.repeat(5000),
  '{"name":"\\ud800"}',
  '{"__proto__":{"admin":true}}',
  `{"name":"${'\\u0301'.repeat(20_000)}"}`,
  '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb',
];
const FILES = [
  'Name,Class\nAda Baker,Wrens\n',
  'Name\n=1+1\n',
  'PK\u0003\u0004',
  '\0\0\0',
  '',
  'email,name\nnew@school.example,New Teacher\n',
  `Name\n${'x,'.repeat(5000)}`,
];

/** Generates requests for a school's rows from the OpenAPI document: mostly valid, each wrong in a place or two. */
export class RequestFuzzer {
  readonly #random: Random;
  #school: BuiltSchool | undefined;
  #tokens: string[] = [];
  /** The calls of the current round: each round requests every call once. */
  #round: typeof operations = [];

  constructor(seed: string) {
    this.#random = randomFrom(seed);
  }

  /** The school whose IDs the requests use, and its users. */
  visit(school: BuiltSchool, others: readonly string[]): void {
    this.#school = school;
    const pupil = school.ownClass.pupils[0]?.token ?? '';
    this.#tokens = [school.admin.token, school.admin.token, school.admin.token, school.teacher.token, pupil, ...others];
  }

  next(): FuzzRequest {
    const random = this.#random;
    if (this.#round.length === 0) this.#round = random.shuffle(operations);
    const { path, method, operation } = this.#round.pop() ?? random.pick(operations);
    const isChanged = random.chance(0.1);
    const address = path.replace(/\{(\w+)\}/g, (_, name: string) =>
      isChanged ? random.pick(HOSTILE_SEGMENTS) : encodeURIComponent(String(this.#idOf(name))),
    );
    const query = operation.parameters
      .filter((parameter) => parameter.in === 'query' && (parameter.required || random.chance(0.4)))
      .map(({ name, schema }) => `${name}${random.chance(0.05) ? '[a][]' : ''}=${this.#queryValue(name, schema)}`);
    const { payload, type } = this.#body(operation);
    const statuses = new Set(Object.keys(operation.responses).map(Number));
    if (isChanged) statuses.add(404);
    return {
      operationId: operation.operationId,
      method,
      url: `${address}${isChanged && random.chance(0.2) ? '/' : ''}${query.length > 0 ? `?${query.join('&')}` : ''}`,
      headers: this.#headers(method, type, path.startsWith('/v1/reader')),
      payload: method === 'GET' ? undefined : payload,
      // Most requests come from their own address, so that only some reach a rate limit.
      remoteAddress: random.chance(0.1)
        ? '192.0.2.1'
        : `10.${random.whole(0, 255)}.${random.whole(0, 255)}.${random.whole(1, 254)}`,
      statuses,
    };
  }

  #headers(method: Method, type: string | undefined, isPupil: boolean): Record<string, string> {
    const random = this.#random;
    const own = isPupil ? (this.#school?.ownClass.pupils[0]?.token ?? '') : (this.#school?.admin.token ?? '');
    const token = random.chance(0.85) ? own : random.pick([...this.#tokens, 'x', '']);
    return {
      ...(token ? { authorization: random.chance(0.02) ? token : `Bearer ${token}` } : {}),
      ...(method !== 'GET' && type !== undefined ? { 'content-type': type } : {}),
      ...(random.chance(0.25)
        ? {
            'idempotency-key': random.pick([
              '1',
              'ü',
              ...['a', 'b', 'c', 'd'].map((letter) => letter.repeat(16)),
              'k'.repeat(256),
              random.uuid(),
            ]),
          }
        : {}),
      ...(random.chance(0.1) ? { accept: random.pick(['text/html', '*/*', 'nonsense']) } : {}),
      ...(random.chance(0.05) ? { 'x-forwarded-for': random.pick(['127.0.0.1', 'x', '::1']) } : {}),
    };
  }

  #body(operation: Operation): { payload: string | Buffer | undefined; type: string | undefined } {
    const random = this.#random;
    const content = operation.requestBody?.content ?? {};
    if (random.chance(0.06)) return { payload: random.pick(RAW_BODIES), type: random.pick(TYPES) };
    const schema = content['application/json']?.schema;
    if (content['multipart/form-data'] && random.chance(0.4)) return this.#form(content['multipart/form-data'].schema);
    if (!schema) return { payload: undefined, type: undefined };
    const value = this.#mutate(this.#valueOf(schema, '', 0));
    return {
      payload: JSON.stringify(value) ?? 'null',
      type: random.chance(0.03) ? random.pick(TYPES) : 'application/json',
    };
  }

  #form(schema: Json): { payload: Buffer; type: string } {
    const random = this.#random;
    const names = Object.entries(schema.properties as Record<string, Json>);
    const parts = names.flatMap(([name, { format }]) => {
      if (format === 'binary')
        return `content-disposition: form-data; name="${name}"; filename="${random.pick(['a.csv', 'a.xlsx', '../a.xls', ''])}"\r\n\r\n${random.pick(FILES)}`;
      return random.chance(0.2)
        ? `content-disposition: form-data; name="${name}"\r\n\r\n${random.pick(['name', '1', '', 'x'.repeat(3000)])}`
        : [];
    });
    const end = random.chance(0.1) ? '' : '--fuzz--\r\n';
    return {
      payload: Buffer.from(parts.map((part) => `--fuzz\r\n${part}\r\n`).join('') + end),
      type: 'multipart/form-data; boundary=fuzz',
    };
  }

  #queryValue(name: string, schema: Json): string {
    const value = this.#random.chance(0.3) ? this.#random.pick(HOSTILE) : this.#valueOf(schema, name, 0);
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    return encodeURIComponent(text.toWellFormed().slice(0, 4000));
  }

  #idOf(name: string): string | number {
    const school = this.#school;
    const known: Record<string, string | number | undefined> = {
      id: school?.id,
      schoolId: school?.id,
      readerId: school?.ownClass.pupils[0]?.id,
      pupilId: school?.ownClass.pupils[0]?.id,
      groupId: school?.ownClass.id,
      userId: school?.teacher.id,
      bookId: 101,
      packageId: 2,
      action: 'start',
      name: 'pupils.xlsx',
    };
    return known[name] ?? this.#random.pick([this.#random.uuid(), 'x', 1]);
  }

  /** A value that the schema allows, guessed from names and formats. */
  #valueOf(schema: Json, name: string, depth: number): unknown {
    const random = this.#random;
    const {
      type,
      properties,
      required = [],
      items,
      format,
      ['anyOf']: alternatives,
      enum: values,
      const: only,
    } = schema as Json & {
      properties?: Record<string, Json>;
      required?: string[];
      items?: Json;
      ['anyOf']?: Json[];
      enum?: unknown[];
    };
    if (only !== undefined) return only;
    if (values) return random.pick(values);
    if (alternatives) return this.#valueOf(random.pick(alternatives), name, depth);
    if (properties)
      return Object.fromEntries(
        Object.entries(properties)
          .filter(([key]) => required.includes(key) || random.chance(0.6))
          .map(([key, part]) => [key, this.#valueOf(part, key, depth + 1)]),
      );
    if (type === 'array')
      return Array.from({ length: random.whole(0, 3) }, () => this.#valueOf(items ?? {}, name, depth + 1));
    if (type === 'boolean') return random.chance(0.5);
    if (type === 'integer' || type === 'number')
      return random.pick([
        this.#school?.ownClass.pupils[0]?.id,
        this.#school?.ownClass.id,
        this.#school?.teacher.id,
        1,
        3,
        101,
      ]);
    if (format === 'uuid') return random.uuid();
    if (format === 'date-time') return '2026-11-17T09:30:00Z';
    if (format === 'date') return '2026-11-01';
    if (name.includes('email'))
      return random.pick([`new-${random.whole(1, 1e9)}@school.example`, this.#school?.admin.email]);
    if (name.includes('date') || name.includes('time')) return random.pick(['2026-11-17T09:30:00Z', '10:00']);
    if (name.includes('password')) return random.pick(['reading-1', 'a new password']);
    if (name === 'postcode') return 'SW1A 1AA';
    if (name === 'country_code') return 'GBR';
    if (name === 'telephone' || name === 'urn' || name === 'contact_number') return '123456';
    if (/^(page|per_page|length)$/.test(name)) return random.pick(['1', '10', '50']);
    if (name.endsWith('_id')) return random.pick([this.#school?.ownClass.id, this.#school?.ownClass.pupils[0]?.id]);
    return random.pick(['Robin Reader', 'Wrens', 'Elm House', 'a text']);
  }

  /** The value with a place or two changed, in two of three cases. */
  #mutate(value: unknown): unknown {
    const random = this.#random;
    if (random.chance(0.33)) return value;
    if (typeof value !== 'object' || value === null || random.chance(0.1)) return random.pick(HOSTILE);
    const keys = Object.keys(value);
    if (Array.isArray(value))
      return keys.length > 0 ? value.map((part, n) => (n === 0 ? this.#mutate(part) : part)) : [random.pick(HOSTILE)];
    const key =
      keys.length > 0 && random.chance(0.9) ? random.pick(keys) : random.pick(['school_id', 'id', 'admin', '']);
    const { [key]: part, ...rest } = value as Json;
    return random.chance(0.15) ? rest : { ...rest, [key]: this.#mutate(part) };
  }
}
