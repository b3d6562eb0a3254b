import { describe, expect, test } from 'vitest';
import { api } from './api.ts';
import type { Call } from './call.ts';
import { errorReply } from './error-reply.ts';
import { errorList } from './errors.ts';
import { openapiDocument } from './openapi.ts';

type Json = Record<string, unknown>;
interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  parameters: { name: string; in: string; required: boolean; schema: Json }[];
  requestBody?: { content: Record<string, { schema: Json }> };
  responses: Record<string, { description: string; content: Record<string, { schema: Json }> }>;
  security: Json[];
}

const calls = Object.values<Call>(api);

// As a client gets it.
const document = JSON.parse(JSON.stringify(openapiDocument(api, 'Test & Co'))) as {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Json; securitySchemes: Json; examples: Record<string, { value: unknown }> };
};
const operations = Object.entries(document.paths).flatMap(([path, verbs]) =>
  Object.entries(verbs).map(([verb, operation]) => ({ path, verb, operation })),
);

/** Every object within a value, including itself. */
function* listObjects(value: unknown): Generator<Json> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Json;
  for (const part of Object.values(value)) yield* listObjects(part);
}

/** Resolves a JSON pointer. */
const follow = (pointer: string): unknown =>
  pointer
    .slice(2)
    .split('/')
    .reduce<unknown>(
      (at, step) => (at as Json | undefined)?.[step.replaceAll('~1', '/').replaceAll('~0', '~')],
      document,
    );

interface ErrorResponse {
  content: { 'application/json': { examples?: Record<string, { $ref?: string; value?: unknown }> } };
}

/** The example of an error in the document of one call. */
function exampleOf(callName: string, status: number, name: string): unknown {
  const { operation } = operations.find((entry) => entry.operation.operationId === callName) ?? {};
  const response = operation?.responses[status] as unknown as ErrorResponse | undefined;
  const example = response?.content['application/json'].examples?.[name];
  return example?.$ref ? (follow(example.$ref) as { value: unknown }).value : example?.value;
}

describe('the examples of errors', () => {
  test.each([
    ['setAdmin', 409, 'proof_required', 'POST users/me/proof, then repeat'],
    ['logIn', 401, 'enrolment_required', 'POST auth/enrolment/authenticator'],
    ['logIn', 401, 'second_factor_required', 'POST auth/factor'],
    ['listPupils', 409, 'email_not_confirmed', 'POST users/me/confirmation'],
    ['listPupils', 409, 'password_reset_required', 'POST users/me'],
    ['listPupils', 409, 'terms_not_accepted', 'POST enterprises/{id}/terms/accept'],
    ['updateMe', 422, 'validation', 'Enter your current password'],
    ['register', 422, 'validation', 'one of the most common passwords'],
  ] as const)('show for %s the %i %s and its way out', (callName, status, name, wayOut) => {
    const example = errorReply.parse(exampleOf(callName, status, name));
    expect(example.error).toContain(wayOut);
    if (name !== 'validation') expect(example.code).toBe(name);
  });

  test('the examples of errors match the shape of an error, for every error with a code', () => {
    const coded = Object.entries(errorList).filter(([, error]) => 'code' in error);
    expect(Object.keys(document.components.examples).sort()).toEqual(coded.map(([name]) => name).sort());
    for (const { value } of Object.values(document.components.examples)) errorReply.parse(value);
  });

  test('the examples of errors name calls that exist', () => {
    const paths = calls.map((call) => `${call.method} ${call.path.slice(1)}`);
    for (const { text } of Object.values(errorList))
      for (const [named] of text.matchAll(/\b(?:GET|POST|DELETE) [\w/{}]+/g)) expect(paths).toContain(named);
  });
});

describe('the document', () => {
  test('the document is OpenAPI 3.1 with a title and version', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(document.info).toMatchObject({ title: 'Test & Co school portal', version: expect.any(String) });
  });

  test('the document has every call exactly once', () => {
    const declared = calls.map((call) => `${call.method} /v1${call.path}`);
    expect(new Set(declared).size).toBe(declared.length);
    expect(operations.map(({ path, verb }) => `${verb.toUpperCase()} ${path}`).sort()).toEqual(declared.sort());
  });

  test('the document has no broken references', () => {
    const references = [...listObjects(document)].flatMap((part) => (typeof part.$ref === 'string' ? [part.$ref] : []));
    expect(references.length).toBeGreaterThan(calls.length);
    for (const reference of references) {
      expect(reference).toMatch(/^#\//);
      expect(follow(reference)).toBeTypeOf('object');
    }
  });

  test('the document has each shared schema once among its components', () => {
    const shared = [
      'Pupil',
      'Class',
      'School',
      'User',
      'Subscription',
      'Invite',
      'ReadingSession',
      'Chart',
      'Timestamp',
      'Id',
    ];
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(shared));
    const pupils = operations.find(({ operation }) => operation.operationId === 'listPupils')?.operation;
    expect(pupils?.responses['200']?.content['application/json']?.schema).toMatchObject({
      properties: { readers: { items: { $ref: '#/components/schemas/Pupil' } } },
    });
    expect(document.components.schemas.Timestamp).toEqual({ type: 'string', format: 'date-time' });
  });

  test('the document has IDs in URLs as integers, and the defaults of paging', () => {
    for (const { path, operation } of operations)
      for (const { name, schema } of operation.parameters.filter((parameter) => /^(id|\w+Id)$/.test(parameter.name)))
        if (!['inviteId', 'resetId', 'jobId', 'sessionId', 'loginSessionId'].includes(name))
          expect(schema, `${path} ${name}`).toEqual({ $ref: '#/components/schemas/Id' });
    expect(document.components.schemas.Id).toMatchObject({ type: 'integer' });
    const pupils = operations.find(({ operation }) => operation.operationId === 'listPupils')?.operation;
    expect(pupils?.parameters.find(({ name }) => name === 'per_page')?.schema).toEqual({
      type: 'integer',
      enum: [10, 25, 50, 100, 200],
      default: 50,
    });
  });

  test('the document uses the calls’ names as operation IDs', () => {
    expect(operations.map(({ operation }) => operation.operationId).sort()).toEqual(Object.keys(api).sort());
  });

  test('the document has no two paths that differ only in parameter names', () => {
    const shapes = Object.keys(document.paths).map((path) => path.replace(/\{\w+\}/g, '{}'));
    expect(new Set(shapes).size).toBe(shapes.length);
  });
});

describe.each(
  operations.map(({ path, verb, operation }) => [`${verb.toUpperCase()} ${path}`, path, operation] as const),
)('%s', (name, path, operation) => {
  const call = calls.find((entry) => `${entry.method} /v1${entry.path}` === name);

  test('every operation has a description, parameters, replies and permission', () => {
    expect(operation.summary).not.toBe('');
    expect(operation.tags).toHaveLength(1);
    const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
    expect(inPath.map((parameter) => `{${parameter.name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
    for (const parameter of inPath) expect(parameter.required).toBe(true);
    expect(new Set(operation.parameters.map((parameter) => `${parameter.in} ${parameter.name}`)).size).toBe(
      operation.parameters.length,
    );
    const answered = Object.entries(operation.responses['200']?.content ?? {});
    expect(answered.length).toBeGreaterThan(0);
    for (const [type, { schema }] of answered)
      if (type === 'application/json') expect(schema).toBeTypeOf('object');
      else expect(schema).toEqual({ type: 'string', format: 'binary' });
    expect(answered.map(([type]) => type).filter((type) => type !== 'application/json')).toEqual(call?.files);
    expect(operation.security).toEqual(call?.permission === 'open' ? [] : [{ token: [] }]);
    for (const security of operation.security)
      for (const scheme of Object.keys(security)) expect(document.components.securitySchemes).toHaveProperty(scheme);
  });

  test('every operation has its errors, all in the same shape', () => {
    const statuses = Object.keys(operation.responses);
    expect(statuses).toEqual(
      expect.arrayContaining(['200', '500', '503', ...(call?.permission === 'open' ? [] : ['401'])]),
    );
    for (const error of call?.errors ?? []) expect(statuses).toContain(String(errorList[error].status));
    for (const [status, response] of Object.entries(operation.responses)) {
      expect(response.description).not.toBe('');
      if (Number(status) >= 400)
        expect(response.content['application/json']?.schema).toEqual({ $ref: '#/components/schemas/Error' });
    }
  });
});
