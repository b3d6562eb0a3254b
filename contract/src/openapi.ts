import { z } from 'zod';
import { answersFilesAlone, type Call, errorsOf, hasBody, takesSchoolHeader } from './call.ts';
import { type ErrorDetails, errorReply, toErrorReply } from './error-reply.ts';
import { type ErrorName, errorList } from './errors.ts';
import { EXAMPLE, exampleParams } from './examples.ts';
import { documentedAs } from './fields.ts';
import { IDEMPOTENCY_KEY_LENGTH } from './limits.ts';
import { isSchoolAction, schoolActions } from './permissions.ts';

type Json = Record<string, unknown>;

/** The shared schemas of a document, by ID. */
type Components = Record<string, Json>;

/** Converts a schema to JSON Schema. Schemas with an ID are added to `components` and referenced. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', components: Components): Json {
  const converted = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // The format is enough; the pattern of a valid date is 200 characters long.
      if (jsonSchema.format === 'date-time' || jsonSchema.format === 'date') delete jsonSchema.pattern;
      const documented = documentedAs.get(zodSchema as unknown as z.ZodType);
      if (!documented) return;
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key as keyof typeof jsonSchema];
      Object.assign(jsonSchema, documented);
    },
  });
  const text = JSON.stringify(converted).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { $schema: _, $defs = {}, ...json } = JSON.parse(text) as Json & { $defs?: Components };
  for (const [name, { id: _id, ...definition }] of Object.entries($defs)) {
    const known = components[name];
    if (known && JSON.stringify(known) !== JSON.stringify(definition))
      throw new Error(`Two schemas have the id ${name}`);
    components[name] = definition;
  }
  return json;
}

const exampleOf = (example: unknown): Json => (example === undefined ? {} : { example });

/** Calls give parameters as text or as numbers, which is the same in a URL. */
function parameterExample(example: unknown, { type }: Json): Json {
  if (type === 'integer' && typeof example === 'string') return { example: Number(example) };
  return exampleOf(type === 'string' && typeof example === 'number' ? String(example) : example);
}

function parameters(call: Call, components: Components): Json[] {
  const describe = (where: 'path' | 'query', shape: z.ZodObject) => {
    const json = schemaOf(shape, 'input', components) as { properties?: Record<string, Json>; required?: string[] };
    return Object.entries(json.properties ?? {}).map(([name, schema]) => ({
      name,
      in: where,
      required: where === 'path' || (json.required ?? []).includes(name),
      schema,
      ...parameterExample(where === 'path' ? exampleParams[name] : call.example?.query?.[name], schema),
      ...(schema.type === 'object' ? { style: 'deepObject', explode: true } : {}),
    }));
  };
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    schema: { type: 'string', minLength: IDEMPOTENCY_KEY_LENGTH.min, maxLength: IDEMPOTENCY_KEY_LENGTH.max },
    description:
      'A repeated key within 24 hours returns the first reply and repeats nothing. Use a new UUID: the stored reply is encrypted with it. A shorter key than 16 characters is rejected with 422.',
  };
  const school = {
    name: 'Portal-School',
    in: 'header',
    required: false,
    schema: { type: 'integer', minimum: 1 },
    description:
      'The ID of the school for which the call is made. The answer is 409 `school_switched` if the session has moved to another of the person’s schools.',
  };
  return [
    ...describe('path', call.params),
    ...describe('query', call.query),
    ...(call.method === 'POST' && call.permission !== 'open' ? [key] : []),
    ...(takesSchoolHeader(call) ? [school] : []),
  ];
}

/** Details of errors that have some. */
const EXAMPLE_DETAILS: { [Name in ErrorName]?: ErrorDetails } = {
  second_factor_required: { secondFactor: { token: EXAMPLE.token, methods: ['authenticator', 'recovery_code'] } },
  enrolment_required: { secondFactor: { token: EXAMPLE.token, methods: [] } },
  too_many_pupils: { pupils: 131 },
  price_changed: {
    quote: {
      net: 48_000,
      vat: 9600,
      total: 57_600,
      period: { from: '2026-09-01', to: '2027-08-31' },
      due_yearly: { net: 48_000, vat: 9600, total: 57_600, from: '2027-09-01' },
    },
  },
};

const describeError = (name: ErrorName): string => {
  const { text, code }: { text: string; code?: string } = errorList[name];
  return code ? `\`${code}\`: ${text}` : text;
};

const hasCode = (name: ErrorName): boolean => 'code' in errorList[name];

/** The errors that clients branch on, by name: calls refer to them. */
const errorExamples = (): Record<string, Json> =>
  Object.fromEntries(
    (Object.keys(errorList) as ErrorName[])
      .filter(hasCode)
      .map((name) => [name, { value: toErrorReply(name, EXAMPLE_DETAILS[name]) }]),
  );

/** The examples of the errors that a call returns with one status. */
function examplesOf(call: Call, names: readonly ErrorName[]): Json {
  const examples: [string, Json][] = names
    .filter(hasCode)
    .map((name) => [name, { $ref: `#/components/examples/${name}` }]);
  if (call.rejected && names.includes('validation'))
    examples.push(['validation', { value: toErrorReply('validation', { fields: call.rejected.errors }) }]);
  return examples.length === 0 ? {} : { examples: Object.fromEntries(examples) };
}

function responses(call: Call, components: Components): Json {
  const byStatus = new Map<number, ErrorName[]>();
  for (const name of errorsOf(call))
    byStatus.set(errorList[name].status, [...(byStatus.get(errorList[name].status) ?? []), name]);
  const files = Object.fromEntries(call.files.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]));
  const json = answersFilesAlone(call)
    ? {}
    : { 'application/json': { schema: schemaOf(call.reply, 'output', components) } };
  return {
    200: { description: 'Success', content: { ...json, ...files } },
    ...Object.fromEntries(
      [...byStatus].map(([status, names]) => [
        status,
        {
          description: names.map(describeError).join(' · '),
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/Error' }, ...examplesOf(call, names) },
          },
        },
      ]),
    ),
  };
}

function describePermission(call: Call): string {
  if (call.permission === 'open') return 'Anyone.';
  if (call.permission === 'user') return 'Anyone who is signed in.';
  if (call.permission === 'reader') return "Pupils, with a pupil's token.";
  if (call.permission === 'operator') return 'Operators of the product.';
  if (call.permission === 'program') return `Programs of the school${withScope(call)}.`;
  if (!isSchoolAction(call.permission)) return '';
  const staff = `Staff of the school: ${schoolActions[call.permission].join(', ')}.`;
  return call.program ? `${staff} Programs${withScope(call)}.` : staff;
}

const withScope = ({ program }: Call): string =>
  [
    program?.scope ? ` with the scope \`${program.scope}\`` : '',
    program?.isWholeSchool ? ' that are not limited to some classes' : '',
  ].join('');

function requestBody(call: Call, components: Components): Json {
  const schema = schemaOf(call.body, 'input', components);
  const properties = {
    ...(schema.properties as Json | undefined),
    [call.upload?.field ?? '']: { type: 'string', format: 'binary' },
  };
  return {
    required: true,
    content: {
      'application/json': { schema, ...exampleOf(call.example?.body) },
      ...(call.upload
        ? { 'multipart/form-data': { schema: { type: 'object', properties, required: [call.upload.field] } } }
        : {}),
    },
  };
}

const operation = (call: Call, components: Components): Json => ({
  operationId: call.name,
  tags: [call.tag],
  summary: call.summary,
  description: [call.description, `**Allowed:** ${describePermission(call)}`].filter(Boolean).join('\n\n'),
  parameters: parameters(call, components),
  ...(hasBody(call) ? { requestBody: requestBody(call, components) } : {}),
  responses: responses(call, components),
  security: call.permission === 'open' ? [] : [{ token: [] }],
  ...(call.program?.scope ? { 'x-program-scope': call.program.scope } : {}),
});

/** Builds the OpenAPI 3.1 document from the schemas that validate the calls. */
export function openapiDocument(api: Readonly<Record<string, Call>>, product: string): { openapi: string } & Json {
  const paths: Record<string, Json> = {};
  const components: Components = {};
  components.Error = schemaOf(errorReply, 'output', components);
  for (const call of Object.values(api))
    (paths[`/v1${call.path}`] ??= {})[call.method.toLowerCase()] = operation(call, components);
  return {
    openapi: '3.1.0',
    info: {
      title: `${product} school portal`,
      version: '1',
      contact: { name: `${product} support` },
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
      description:
        'JSON in UTF-8 with snake_case keys. Times are ISO 8601 in UTC, dates are `YYYY-MM-DD`. All errors have the same shape: `{error, error_type, code?, errors?}`. Some errors ask for a step and then for the same call again: `proof_required` (409), `second_factor_required` and `enrolment_required` (401), `password_reset_required`, `email_not_confirmed` and `terms_not_accepted` (409). Their text names the call of that step.',
    },
    servers: [{ url: '/' }],
    tags: [...new Set(Object.values(api).map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: components,
      examples: errorExamples(),
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'The token returned by a login, or that of a program.' },
      },
    },
  };
}
