import { z } from 'zod';

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  type?: string | string[];
  enum?: string[];
  /** One of these, such as an object or null. */
  anyOf?: Schema[];
}

const content = z.object({ schema: z.custom<Schema>().optional(), example: z.unknown().optional() });
const media = z.object({ content: z.record(z.string(), content).optional() });
const operation = z.object({
  tags: z.array(z.string()),
  summary: z.string(),
  parameters: z.array(z.object({ name: z.string(), in: z.string(), schema: z.custom<Schema>() })).default([]),
  requestBody: media.optional(),
  responses: z.record(z.string(), media),
});
const documentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({
    schemas: z.record(z.string(), z.custom<Schema>()),
    securitySchemes: z.record(z.string(), z.object({ type: z.literal('http'), scheme: z.literal('bearer') })),
  }),
});

/** An operation of the OpenAPI document. */
export interface Operation {
  method: string;
  /** As in the document: `/v1/reader/auth`. */
  path: string;
  /** The fields of the body, and the required ones. */
  fields: string[];
  required: string[];
  example: unknown;
  /** The fields that every successful reply has. */
  replyFields: string[];
}

const JSON_TYPE = 'application/json';

/** What the running portal describes of itself. */
export class ApiDocument {
  private readonly document;

  constructor(json: unknown) {
    const { data, error } = documentSchema.safeParse(json);
    if (error) throw new Error(`The OpenAPI document is not as the client reads it:\n${z.prettifyError(error)}`);
    this.document = data;
  }

  private resolve(schema: Schema | undefined): Schema {
    const some = schema?.anyOf?.find(({ type }) => type !== 'null') ?? schema;
    const name = some?.$ref?.split('/').at(-1);
    return (name ? this.document.components.schemas[name] : some) ?? {};
  }

  private operation(method: string, path: string) {
    const found = this.document.paths[path]?.[method.toLowerCase()];
    if (!found) throw new Error(`The OpenAPI document does not describe ${method} ${path}.`);
    return found;
  }

  /** The header that carries the session token. */
  tokenHeader(token: string): Record<string, string> {
    const schemes = Object.values(this.document.components.securitySchemes);
    if (schemes.length !== 1) throw new Error('The OpenAPI document does not describe one header for the token.');
    return { authorization: `Bearer ${token}` };
  }

  /** The one operation with this tag and summary. */
  findOperation(tag: string, summary: RegExp): Operation {
    const all = Object.entries(this.document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, described]) => ({ path, method: method.toUpperCase(), described })),
    );
    const found = all.filter(({ described }) => described.tags.includes(tag) && summary.test(described.summary));
    const [only] = found;
    if (!only || found.length > 1)
      throw new Error(`The OpenAPI document has ${found.length} operations of ${tag} with a summary like ${summary}.`);
    return this.describe(only.method, only.path);
  }

  /** The operation with this method and path. */
  describe(method: string, path: string): Operation {
    const described = this.operation(method, path);
    const sent = described.requestBody?.content?.[JSON_TYPE];
    const body = this.resolve(sent?.schema);
    return {
      method,
      path,
      fields: Object.keys(body.properties ?? {}),
      required: body.required ?? [],
      example: sent?.example,
      replyFields: this.resolve(described.responses['200']?.content?.[JSON_TYPE]?.schema).required ?? [],
    };
  }

  /** The field of a reply at these names. */
  replySchema(method: string, path: string, ...names: string[]): Schema {
    let schema = this.resolve(this.operation(method, path).responses['200']?.content?.[JSON_TYPE]?.schema);
    for (const name of names) {
      const below = schema.properties?.[name];
      if (!below) throw new Error(`The OpenAPI document describes no ${name} in the reply of ${method} ${path}.`);
      schema = this.resolve(below);
    }
    return schema;
  }

  /** The values that a parameter of a query can have. */
  valuesOf(method: string, path: string, parameter: string): string[] {
    const found = this.operation(method, path).parameters.find(({ name }) => name === parameter);
    if (!found?.schema.enum)
      throw new Error(`The OpenAPI document lists no values of ${parameter} of ${method} ${path}.`);
    return found.schema.enum;
  }
}
