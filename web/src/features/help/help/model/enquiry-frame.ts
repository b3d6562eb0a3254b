import type { User } from '#contract/calls/access.ts';

/** Limits for the height of a form, in CSS pixels. */
const HEIGHT = { least: 200, most: 4000 };

/** The URL of an enquiry form, with the user's details. */
export function prefilledAddress(
  address: string,
  { first_name, last_name, email, enterprise: school }: Pick<User, 'first_name' | 'last_name' | 'email' | 'enterprise'>,
): string {
  const url = new URL(address);
  const values = { first_name, last_name, email, school_name: school?.name, school_id: school?.id };
  for (const [name, value] of Object.entries(values))
    if (value !== undefined) url.searchParams.set(name, String(value));
  return url.href;
}

/**
 * The height in a message. Undefined unless the message was sent by the form's own window and site and contains
 * `height`, a number of CSS pixels, alone or in an object, as an object or as JSON.
 */
export function heightIn(
  { origin, source, data }: Pick<MessageEvent, 'origin' | 'source' | 'data'>,
  address: string,
  frame: Window | null | undefined,
): number | undefined {
  if (!frame || source !== frame || origin !== new URL(address).origin) return undefined;
  const { height } = asObject(data);
  if (typeof height !== 'number' || !Number.isFinite(height)) return undefined;
  return Math.min(Math.max(Math.ceil(height), HEIGHT.least), HEIGHT.most);
}

function asObject(data: unknown): { height?: unknown } {
  if (typeof data === 'object' && data !== null) return data;
  if (typeof data !== 'string' || data.length > 1000) return {};
  try {
    const parsed: unknown = JSON.parse(data);
    return typeof parsed === 'object' && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
}
