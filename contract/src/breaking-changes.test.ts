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
      ['no longer returns `b`'],
    ],
    [
      'an object is removed with its fields',
      { reply: object({ pupil, a: text }) },
      { reply: object({ a: text }) },
      ['no longer returns `pupil`'],
    ],
    [
      'a field of things in a list is removed',
      { reply: object({ pupils: { type: 'array', items: pupil } }) },
      { reply: object({ pupils: { type: 'array', items: object({ id: { type: 'integer' } }) } }) },
      ['no longer returns `pupils[].name`'],
    ],
    [
      'a field of a shared schema has another type',
      { reply: { $ref: '#/components/schemas/Place' } },
      { reply: object({ town: { type: 'integer' } }) },
      ['can return a whole number as `town`'],
    ],
    [
      'a field can be missing',
      { reply: object({ a: text }) },
      { reply: object({ a: text }, []) },
      ['may leave out `a`'],
    ],
    [
      'a field can be null',
      { reply: object({ a: text }) },
      { reply: object({ a: { anyOf: [text, { type: 'null' }] } }) },
      ['can return null as `a`'],
    ],
    [
      'a field has a new value',
      { reply: object({ a: { type: 'string', enum: ['x'] } }) },
      { reply: object({ a: { type: 'string', enum: ['x', 'y'] } }) },
      ['can return "y" as `a`'],
    ],
    ['a file is no longer returned', { files: ['text/csv'] }, {}, ['no longer returns text/csv']],
  ])('names the break in a reply: %s', (_what, before, after, expected) => {
    expect(breaks(before, after)).toEqual(expected.map((change) => `\`POST /v1/pupils\` ${change}`));
  });

  test.each<[string, Plan, Plan, string[]]>([
    [
      'a new field is required',
      { body: object({ a: text }) },
      { body: object({ a: text, b: text }) },
      ['requires `b`'],
    ],
    ['a field becomes required', { body: object({ a: text }, []) }, { body: object({ a: text }) }, ['requires `a`']],
    ['a field is removed', { body: object({ a: text }, []) }, { body: object({}) }, ['no longer reads `a`']],
    [
      'a value is removed',
      { body: object({ a: { type: 'string', enum: ['x', 'y'] } }) },
      { body: object({ a: { type: 'string', enum: ['x'] } }) },
      ['no longer accepts "y" as `a`'],
    ],
    [
      'a type is removed',
      { body: object({ a: { anyOf: [text, { type: 'integer' }] } }) },
      { body: object({ a: text }) },
      ['no longer accepts a whole number as `a`'],
    ],
    [
      'a limit is lower',
      { body: object({ a: { type: 'string', maxLength: 200 } }) },
      { body: object({ a: { type: 'string', maxLength: 100 } }) },
      ['accepts less as `a`: `maxLength` is 100'],
    ],
    ['a parameter is required', { query: [] }, { query: [parameter('from', true)] }, ['requires `from`']],
    ['a parameter is removed', { query: [parameter('from', false)] }, {}, ['no longer reads `from`']],
    ['a body is no longer read', { body: object({}) }, {}, ['no longer reads application/json']],
    ['a token is required', {}, { security: [{ token: [] }] }, ['requires a token']],
  ])('names the break in a request: %s', (_what, before, after, expected) => {
    expect(breaks(before, after)).toEqual(expected.map((change) => `\`POST /v1/pupils\` ${change}`));
  });

  test('names an error that has another status', () => {
    expect(breaks({ errors: { duplicate_email: 400 } }, { errors: { duplicate_email: 409 } })).toEqual([
      '`POST /v1/pupils` answers `duplicate_email` with 409, no longer with 400',
    ]);
  });

  test('names a call that is removed', () => {
    expect(listBreaks(documentOf({}), { ...documentOf({}), paths: {} })).toEqual(['`POST /v1/pupils` is removed']);
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
  test('breaks nothing when it is compared with the document that it was made from', () => {
    const document = documentOf({ reply: object({ description: { ...text, description: 'A text' } }) });
    const printed = printDocument(document);
    expect(printed).not.toContain('A text');
    expect(listBreaks(JSON.parse(printed) as Document, document)).toEqual([]);
    expect(listBreaks(JSON.parse(printed) as Document, documentOf({}))).toEqual([
      '`POST /v1/pupils` no longer returns `description`',
    ]);
  });

  test('has the status of each call by state', () => {
    const statuses = {
      'GET /v1/b': { open: '200', locked: '402 locked' },
      'GET /v1/a': { open: '200', locked: '200' },
    };
    expect(readStatuses(printStatuses(statuses))).toEqual(statuses);
  });
});

describe('listStatusBreaks', () => {
  const recorded = { 'GET /v1/pupils': { open: '200', locked: '402 locked', closed: '200' } };

  test('names a call that is closed in one state only', () => {
    const current = { 'GET /v1/pupils': { open: '200', locked: '402 locked', closed: '409 school_closed' } };
    expect(listStatusBreaks(recorded, current)).toEqual([
      '`GET /v1/pupils` answers 409 school_closed, no longer 200, when the school is in the state “closed”',
    ]);
  });

  test('names an error with another code or status', () => {
    const current = { 'GET /v1/pupils': { open: '200', locked: '403 permission', closed: '200' } };
    expect(listStatusBreaks(recorded, current)).toHaveLength(1);
  });

  test('allows a call that opens in a state, and new states', () => {
    const current = { 'GET /v1/pupils': { open: '200', locked: '200', closed: '200', merged: '409 conflict' } };
    expect(listStatusBreaks(recorded, current)).toEqual([]);
  });
});

describe('listUnannounced', () => {
  const sentence = '`GET /v1/pupils` is removed';

  test('accepts a break that the unreleased part of the changelog has', () => {
    expect(listUnannounced([sentence], `## [Unreleased]\n\n- ${sentence}: use another.\n\n## [1.0.0]\n`)).toEqual([]);
    expect(listUnannounced([sentence], `## [Unreleased]\n\n- ${sentence}.\n`)).toEqual([]);
  });

  test('rejects a break that only an earlier release has', () => {
    expect(listUnannounced([sentence], `## [Unreleased]\n\n## [1.0.0]\n\n- ${sentence}\n`)).toEqual([sentence]);
  });
});
