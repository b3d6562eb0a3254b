import { describe, expect, test } from 'vitest';
import { type Document, listBreaks, listStatusBreaks, listUnannounced } from './breaking-changes.ts';
import { printDocument, printStatuses, readStatuses } from './recorded.ts';
import type { Json } from './shapes.ts';

interface Plan {
  reply?: Json;
  body?: Json;
  query?: Json[];
  errors?: Json;
  security?: unknown[];
  files?: string[];
}

const text = { type: 'string' };
const object = (properties: Json, required = Object.keys(properties)): Json => ({
  type: 'object',
  properties,
  required,
});

/** A document with one call; the schemas can refer to `Place`. */
function documentOf({ reply = object({}), body, query = [], errors = {}, security = [], files = [] }: Plan): Document {
  const content = Object.fromEntries([
    ['application/json', { schema: reply }],
    ...files.map((type) => [type, { schema: text }]),
  ]);
  const failures = Object.entries(errors).map(([code, status]) => [
    String(status),
    { content: { 'application/json': { schema: {}, examples: { [code]: {} } } } },
  ]);
  return {
    openapi: '3.1.0',
    info: {},
    paths: {
      '/v1/pupils': {
        post: {
          parameters: query as never,
          ...(body ? { requestBody: { content: { 'application/json': { schema: body } } } } : {}),
          responses: { 200: { content }, ...Object.fromEntries(failures) } as never,
          security,
        },
      },
    },
    components: { schemas: { Place: object({ town: text }) } },
  };
}

const breaks = (before: Plan, after: Plan) => listBreaks(documentOf(before), documentOf(after));
const parameter = (name: string, required: boolean, schema: Json = text) => ({ name, in: 'query', required, schema });

describe('listBreaks', () => {
  const pupil = object({ id: { type: 'integer' }, name: text });

  test.each<[string, Plan, Plan, string[]]>([
    [
      'a field is removed',
      { reply: object({ a: text, b: text }) },
      { reply: object({ a: text }) },
      ['No longer returned: `b`'],
    ],
    [
      'an object is removed with its fields',
      { reply: object({ pupil, a: text }) },
      { reply: object({ a: text }) },
      ['No longer returned: `pupil`'],
    ],
    [
      'a field of things in a list is removed',
      { reply: object({ pupils: { type: 'array', items: pupil } }) },
      { reply: object({ pupils: { type: 'array', items: object({ id: { type: 'integer' } }) } }) },
      ['No longer returned: `pupils[].name`'],
    ],
    [
      'a field of a shared schema has another type',
      { reply: { $ref: '#/components/schemas/Place' } },
      { reply: object({ town: { type: 'integer' } }) },
      ['New in the reply: a whole number as `town`'],
    ],
    [
      'a field can be missing',
      { reply: object({ a: text }) },
      { reply: object({ a: text }, []) },
      ['Can be left out of the reply: `a`'],
    ],
    [
      'a field can be null',
      { reply: object({ a: text }) },
      { reply: object({ a: { anyOf: [text, { type: 'null' }] } }) },
      ['New in the reply: null as `a`'],
    ],
    [
      'a field has a new value',
      { reply: object({ a: { type: 'string', enum: ['x'] } }) },
      { reply: object({ a: { type: 'string', enum: ['x', 'y'] } }) },
      ['New in the reply: "y" as `a`'],
    ],
    ['a file is no longer returned', { files: ['text/csv'] }, {}, ['No longer returned: text/csv']],
  ])('names the break in a reply: %s', (_what, before, after, expected) => {
    expect(breaks(before, after)).toEqual(expected.map((change) => `${change} (\`POST /v1/pupils\`)`));
  });

  test.each<[string, Plan, Plan, string[]]>([
    [
      'a new field is required',
      { body: object({ a: text }) },
      { body: object({ a: text, b: text }) },
      ['Newly required: `b`'],
    ],
    [
      'a field becomes required',
      { body: object({ a: text }, []) },
      { body: object({ a: text }) },
      ['Newly required: `a`'],
    ],
    ['a field is removed', { body: object({ a: text }, []) }, { body: object({}) }, ['No longer read: `a`']],
    [
      'a value is removed',
      { body: object({ a: { type: 'string', enum: ['x', 'y'] } }) },
      { body: object({ a: { type: 'string', enum: ['x'] } }) },
      ['No longer accepted: "y" as `a`'],
    ],
    [
      'a type is removed',
      { body: object({ a: { anyOf: [text, { type: 'integer' }] } }) },
      { body: object({ a: text }) },
      ['No longer accepted: a whole number as `a`'],
    ],
    [
      'a limit is lower',
      { body: object({ a: { type: 'string', maxLength: 200 } }) },
      { body: object({ a: { type: 'string', maxLength: 100 } }) },
      ['`maxLength` of `a` is 100'],
    ],
    ['a parameter is required', { query: [] }, { query: [parameter('from', true)] }, ['Newly required: `from`']],
    ['a parameter is removed', { query: [parameter('from', false)] }, {}, ['No longer read: `from`']],
    ['a body is no longer read', { body: object({}) }, {}, ['No longer read: application/json']],
    ['a token is required', {}, { security: [{ token: [] }] }, ['Newly required: a token']],
  ])('names the break in a request: %s', (_what, before, after, expected) => {
    expect(breaks(before, after)).toEqual(expected.map((change) => `${change} (\`POST /v1/pupils\`)`));
  });

  test('listBreaks names an error that has another status', () => {
    expect(breaks({ errors: { duplicate_email: 400 } }, { errors: { duplicate_email: 409 } })).toEqual([
      '`duplicate_email` has the status 409, no longer 400 (`POST /v1/pupils`)',
    ]);
  });

  test('listBreaks allows another name of a parameter in a path, and finds a break behind it', () => {
    const at = (path: string, plan: Plan = {}): Document => {
      const { paths, ...rest } = documentOf(plan);
      return { ...rest, paths: { [path]: paths['/v1/pupils'] ?? {} } };
    };
    expect(listBreaks(at('/v1/pupils/{id}'), at('/v1/pupils/{pupilId}'))).toEqual([]);
    expect(listBreaks(at('/v1/pupils/{id}'), at('/v1/pupils/{pupilId}', { security: [{ token: [] }] }))).toEqual([
      'Newly required: a token (`POST /v1/pupils/{id}`)',
    ]);
  });

  test('listBreaks names a call that is removed', () => {
    expect(listBreaks(documentOf({}), { ...documentOf({}), paths: {} })).toEqual(['Removed (`POST /v1/pupils`)']);
  });

  test.each<[string, Plan, Plan]>([
    ['a new field in a reply', { reply: object({ a: text }) }, { reply: object({ a: text, b: text }) }],
    ['a new optional field in a request', { body: object({ a: text }) }, { body: object({ a: text, b: text }, ['a']) }],
    [
      'a required field in a new object that is optional',
      { body: object({}) },
      { body: object({ place: { $ref: '#/components/schemas/Place' } }, []) },
    ],
    [
      'fewer types and values in a reply',
      { reply: object({ a: { anyOf: [text, { type: 'null' }] }, b: { enum: ['x', 'y'] } }) },
      { reply: object({ a: text, b: { enum: ['x'] } }) },
    ],
    [
      'a wider limit in a request',
      { body: object({ a: { type: 'string', maxLength: 10, minLength: 2 } }) },
      { body: object({ a: { type: 'string', maxLength: 20, minLength: 1 } }) },
    ],
    [
      'the same fields in another form',
      { reply: object({ place: { anyOf: [{ $ref: '#/components/schemas/Place' }, { type: 'null' }] } }) },
      { reply: object({ place: { anyOf: [{ type: 'null' }, object({ town: text })] } }) },
    ],
    ['a new error', {}, { errors: { duplicate_email: 400 } }],
  ])('allows %s', (_what, before, after) => {
    expect(breaks(before, after)).toEqual([]);
  });
});

describe('the record', () => {
  test('the record breaks nothing when compared with the document that it was made from', () => {
    const document = documentOf({ reply: object({ description: { ...text, description: 'A text' } }) });
    const printed = printDocument(document);
    expect(printed).not.toContain('A text');
    expect(listBreaks(JSON.parse(printed) as Document, document)).toEqual([]);
    expect(listBreaks(JSON.parse(printed) as Document, documentOf({}))).toEqual([
      'No longer returned: `description` (`POST /v1/pupils`)',
    ]);
  });

  test('the record has the status of each call by state', () => {
    const statuses = {
      'GET /v1/b': { open: '200', locked: '402 locked' },
      'GET /v1/a': { open: '200', locked: '200' },
    };
    expect(readStatuses(printStatuses(statuses))).toEqual(statuses);
  });
});

describe('listStatusBreaks', () => {
  const recorded = { 'GET /v1/pupils': { open: '200', locked: '402 locked', closed: '200' } };

  test('listStatusBreaks names a call that is closed in one state only', () => {
    const current = { 'GET /v1/pupils': { open: '200', locked: '402 locked', closed: '409 school_closed' } };
    expect(listStatusBreaks(recorded, current)).toEqual([
      '409 school_closed, no longer 200, in the state “closed” (`GET /v1/pupils`)',
    ]);
  });

  test('listStatusBreaks names all calls with the same change in one sentence', () => {
    const both = { ...recorded, 'GET /v1/books': { open: '200' } };
    const current = { 'GET /v1/books': { open: '403 permission' }, 'GET /v1/pupils': { open: '403 permission' } };
    expect(listStatusBreaks(both, current)).toEqual([
      '403 permission, no longer 200, in the state “open” (`GET /v1/pupils`, `GET /v1/books`)',
    ]);
  });

  test('listStatusBreaks finds a call whose parameter in the path has another name', () => {
    const [before, after] = [
      { 'GET /v1/a/{id}': { open: '200' } },
      { 'GET /v1/a/{pupilId}': { open: '404 not_found' } },
    ];
    expect(listStatusBreaks(before, after)).toHaveLength(1);
  });

  test('listStatusBreaks names an error with another code or status', () => {
    const current = { 'GET /v1/pupils': { open: '200', locked: '403 permission', closed: '200' } };
    expect(listStatusBreaks(recorded, current)).toHaveLength(1);
  });

  test('listStatusBreaks allows a call that opens in a state, and new states', () => {
    const current = { 'GET /v1/pupils': { open: '200', locked: '200', closed: '200', merged: '409 conflict' } };
    expect(listStatusBreaks(recorded, current)).toEqual([]);
  });
});

describe('listUnannounced', () => {
  const sentence = 'Removed (`GET /v1/pupils`)';

  test('listUnannounced accepts a break that the unreleased part of the changelog has', () => {
    expect(listUnannounced([sentence], `## [Unreleased]\n\n- ${sentence}: use another.\n\n## [1.0.0]\n`)).toEqual([]);
    expect(listUnannounced([sentence], `## [Unreleased]\n\n- ${sentence}.\n`)).toEqual([]);
  });

  test('listUnannounced rejects a break that only an earlier release has', () => {
    expect(listUnannounced([sentence], `## [Unreleased]\n\n## [1.0.0]\n\n- ${sentence}\n`)).toEqual([sentence]);
  });
});
