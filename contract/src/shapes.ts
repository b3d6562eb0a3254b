/** What a JSON Schema allows, field by field, so that two versions of it can be compared. */

export type Json = Record<string, unknown>;

export interface Field {
  /** Present whenever the object around it is. */
  isRequired: boolean;
  /** JSON types; `any` where the schema names none. */
  types: Set<string>;
  /** The only values, as JSON; undefined if any value of the types may occur. */
  values: Set<string> | undefined;
  /** Limits such as `maxLength`, and `pattern` and `format`. */
  limits: Record<string, unknown>;
}

/** Fields by path: `enterprise.groups[].name`; the body itself has an empty path, an entry of a record `{}`. */
export type Shape = Map<string, Field>;

const LIMITS = [
  'maxLength',
  'minLength',
  'maximum',
  'minimum',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'maxItems',
  'minItems',
  'pattern',
  'format',
];

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
const parentOf = (path: string): string => path.replace(/(^|\.)[^.]+$|(\[\]|\{\})$/, '');

/** The shape of a schema that allows what any of these allows; with `all`, what each of them allows. */
function merge(shapes: readonly Shape[], isEach: boolean): Shape {
  const merged: Shape = new Map();
  for (const path of new Set(shapes.flatMap((shape) => [...shape.keys()]))) {
    const fields = shapes.flatMap((shape) => shape.get(path) ?? []);
    // A variant that is null has no fields and does not make those of the others optional.
    const variants = shapes.filter((shape) => shape.get(parentOf(path))?.types.has('object') ?? path === '');
    const isRequired = isEach
      ? fields.some((field) => field.isRequired)
      : fields.length >= variants.length && fields.every((field) => field.isRequired);
    const isLimited = fields.every(({ values, types }) => values !== undefined || types.has('null'));
    merged.set(path, {
      isRequired,
      types: new Set(fields.flatMap(({ types }) => [...types])),
      values: isLimited ? new Set(fields.flatMap(({ values }) => [...(values ?? [])])) : undefined,
      limits: Object.assign({}, ...fields.map(({ limits }) => limits)) as Json,
    });
  }
  return merged;
}

function readTypes({ type, properties, const: only, enum: values }: Json): Set<string> {
  if (type !== undefined) return new Set([type].flat() as string[]);
  if (properties) return new Set(['object']);
  const listed = only === undefined ? (values as unknown[] | undefined) : [only];
  return new Set(listed ? listed.map((value) => (value === null ? 'null' : typeof value)) : ['any']);
}

/**
 * Reads a schema with its references resolved in `components`. A schema that contains itself is read once.
 * @param open names of the references around this schema
 */
export function readShape(
  schema: Json,
  components: Record<string, Json>,
  path = '',
  isRequired = true,
  open: readonly string[] = [],
): Shape {
  const reference = schema.$ref as string | undefined;
  if (reference) {
    const name = reference.slice(reference.lastIndexOf('/') + 1);
    if (open.includes(name))
      return new Map([[path, { isRequired, types: new Set(['object']), values: undefined, limits: {} }]]);
    return readShape(components[name] ?? {}, components, path, isRequired, [...open, name]);
  }
  const read = (part: unknown, at: string, needed: boolean) => readShape(part as Json, components, at, needed, open);
  for (const kind of ['anyOf', 'oneOf', 'allOf'] as const) {
    const variants = schema[kind] as Json[] | undefined;
    if (variants)
      return merge(
        variants.map((variant) => read(variant, path, isRequired)),
        kind === 'allOf',
      );
  }
  const values = schema.const === undefined ? (schema.enum as unknown[] | undefined) : [schema.const];
  const shape: Shape = new Map([
    [
      path,
      {
        isRequired,
        types: readTypes(schema),
        values: values && new Set(values.map((value) => JSON.stringify(value))),
        limits: Object.fromEntries(LIMITS.flatMap((name) => (name in schema ? [[name, schema[name]]] : []))),
      },
    ],
  ]);
  const add = (part: Shape) => part.forEach((field, at) => shape.set(at, field));
  const required = (schema.required ?? []) as string[];
  for (const [name, property] of Object.entries((schema.properties ?? {}) as Json))
    add(read(property, join(path, name), required.includes(name)));
  if (schema.items) add(read(schema.items, `${path}[]`, true));
  if (typeof schema.additionalProperties === 'object') add(read(schema.additionalProperties, `${path}{}`, true));
  return shape;
}
