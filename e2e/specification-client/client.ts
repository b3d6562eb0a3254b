import { z } from 'zod';
import type { Operation } from './api-document.ts';
import { type CallName, calls } from './calls.ts';
import type { Journey } from './journey.ts';

type Sent<Name extends CallName> = z.input<(typeof calls)[Name]['sends']>;
type Reply<Name extends CallName> = z.output<(typeof calls)[Name]['replies']>;
/** Payloads without a required field can be left out. */
type Payload<Name extends CallName> =
  Record<string, never> extends Sent<Name> ? [payload?: Sent<Name>] : [payload: Sent<Name>];
/** The values of a path's parameters, in their order. */
type PathValues = readonly (string | number)[];
type Fields = Record<string, unknown>;

/** Access 8 names these fields of an error. */
const errorReply = z.object({ error: z.string().min(1), error_type: z.string().min(1), code: z.string().default('') });
type ErrorReply = z.output<typeof errorReply>;

interface RawReply {
  /** The request and its status, for messages. */
  title: string;
  status: number;
  text: string;
}

const withoutVersion = (path: string) => path.replace(/^\/v1\//, '');

/** The names of fields; `await`, `expect` and JSON.stringify also read `then`, `asymmetricMatch` and `toJSON`. */
const FIELD = /^(?!then$)[a-z][a-z0-9_]*$/;

/** Throws when a field is read that the specifications do not name. */
function guard<T>(value: T, where: string, journey: Journey): T {
  if (Array.isArray(value)) return value.map((element) => guard(element as unknown, where, journey)) as T;
  if (value === null || typeof value !== 'object') return value;
  const fields = Object.entries(value).map(([name, field]) => [
    name,
    guard(field as unknown, `${where}.${name}`, journey),
  ]);
  return new Proxy(Object.fromEntries(fields) as T & object, {
    get(target, name, receiver) {
      if (typeof name === 'string' && !(name in target) && FIELD.test(name))
        throw journey.createError(`the specifications name no field ${name} in ${where}.`);
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
}

function toForm(fields: Fields): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    if (value instanceof File) form.append(name, value);
    else form.append(name, String(value));
  return form;
}

/** Makes only calls that the specifications name, with the fields that they name. */
export class Client {
  private readonly journey: Journey;
  private token: string | undefined;

  constructor(journey: Journey) {
    this.journey = journey;
  }

  /** Keeps the token of a login or registration; without one the session is cleared. */
  useToken(token?: string): void {
    this.token = token;
  }

  async logIn(email: string, password: string): Promise<Reply<'POST auth'>['user']> {
    const { user, meta } = await this.call('POST auth', [], { email, password });
    this.useToken(meta.token);
    return user;
  }

  /** Makes a specified call and checks that it succeeds and that its reply has every field that is named. */
  async call<Name extends CallName>(
    name: Name,
    pathValues: PathValues,
    ...payload: Payload<Name>
  ): Promise<Reply<Name>> {
    const raw = await this.request(name, pathValues, payload[0]);
    if (raw.status < 200 || raw.status > 299) throw this.createStatusError(raw);
    return this.read<Reply<Name>>(calls[name].replies as unknown as z.ZodType<Reply<Name>>, raw);
  }

  /** Makes a specified call in a state in which it fails. */
  async expectError<Name extends CallName>(
    status: number,
    name: Name,
    pathValues: PathValues,
    ...payload: Payload<Name>
  ): Promise<ErrorReply> {
    const raw = await this.request(name, pathValues, payload[0]);
    if (raw.status !== status) throw this.createStatusError(raw, `, not ${status}`);
    return this.read(errorReply, raw);
  }

  /** Makes a call with what only the OpenAPI document describes, and returns its reply as described. */
  async callDocumented(operation: Operation, pathValues: PathValues, fields: Fields = {}): Promise<Fields> {
    const path = withoutVersion(operation.path);
    const title = `${operation.method} ${path}`;
    const unknown = Object.keys(fields).filter((field) => !operation.fields.includes(field));
    if (unknown.length > 0) throw this.journey.createError(`${title} is documented without ${unknown.join(', ')}.`);
    const missing = operation.required.filter((field) => !(field in fields));
    if (missing.length > 0) throw this.journey.createError(`${title} now needs ${missing.join(', ')}.`);
    this.journey.madeCalls.add(title);
    const raw = await this.send(operation.method, path, pathValues, fields);
    if (raw.status !== 200) throw this.createStatusError(raw);
    const reply = this.parse(raw) as Fields;
    const absent = operation.replyFields.filter((field) => !(field in reply));
    if (absent.length > 0) throw this.journey.createError(`the reply of ${title} lacks ${absent.join(', ')}.`);
    return reply;
  }

  /** The unchecked reply of a specified call, for a field that only the OpenAPI document names. */
  async readDocumented(name: CallName, pathValues: PathValues, fields: Fields, status = 200): Promise<unknown> {
    const raw = await this.request(name, pathValues, fields);
    if (raw.status !== status) throw this.createStatusError(raw, `, not ${status}`);
    return this.parse(raw);
  }

  /** Opens a URL of a reply as a browser does, or with the session. */
  async openUrl(url: string, { withSession = false } = {}): Promise<Response> {
    return fetch(url, { headers: withSession ? this.headers() : {} });
  }

  private headers(): Record<string, string> {
    return this.token === undefined ? {} : this.journey.outside('headerName').tokenHeader(this.token);
  }

  private async request(name: CallName, pathValues: PathValues, payload: unknown): Promise<RawReply> {
    const call = (calls as Partial<typeof calls>)[name];
    if (!call) throw this.journey.createError(`the specifications name no call ${name}.`);
    const sent = call.sends.safeParse(payload ?? {});
    if (!sent.success)
      throw this.journey.createError(`${name} sends what is not specified:\n${z.prettifyError(sent.error)}`);
    this.journey.madeCalls.add(name);
    const [method = '', path = ''] = name.split(' ');
    return this.send(method, path, pathValues, sent.data);
  }

  private async send(method: string, path: string, pathValues: PathValues, fields: Fields): Promise<RawReply> {
    const rest = [...pathValues];
    const filled = path.replaceAll(/\{\w+\}/g, (place) => {
      const value = rest.shift();
      if (value === undefined) throw this.journey.createError(`${method} ${path} needs a value for ${place}.`);
      return encodeURIComponent(value);
    });
    if (rest.length > 0) throw this.journey.createError(`${method} ${path} has no place for ${rest.join(', ')}.`);
    const hasFields = Object.keys(fields).length > 0;
    const isForm = Object.values(fields).some((value) => value instanceof File);
    const query = new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)]));
    const address = method === 'GET' && hasFields ? `${filled}?${query}` : filled;
    const hasJson = method === 'POST' && hasFields && !isForm;
    const headers = { ...this.headers(), ...(hasJson && { 'content-type': 'application/json' }) };
    const response = await fetch(`${this.journey.portal.url}/v1/${address}`, {
      method,
      headers,
      redirect: 'error',
      ...(hasJson && { body: JSON.stringify(fields) }),
      ...(isForm && { body: toForm(fields) }),
    });
    return { title: `${method} ${address}`, status: response.status, text: await response.text() };
  }

  private createStatusError({ title, status, text }: RawReply, wanted = ''): Error {
    return this.journey.createError(`${title} answers ${status}${wanted}: ${text.slice(0, 600)}`);
  }

  private parse({ title, status, text }: RawReply): unknown {
    try {
      return JSON.parse(text || '{}');
    } catch {
      throw this.journey.createError(`${title} answers ${status} without JSON: ${text.slice(0, 200)}`);
    }
  }

  private read<T>(schema: z.ZodType<T>, raw: RawReply): T {
    const parsed = schema.safeParse(this.parse(raw));
    if (parsed.success) return guard(parsed.data, `the reply of ${raw.title}`, this.journey);
    throw this.journey.createError(
      `the reply of ${raw.title} (${raw.status}) is not as specified:\n${z.prettifyError(parsed.error)}`,
    );
  }
}
