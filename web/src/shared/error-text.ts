import { ApiError } from './api-error.ts';
import { PRODUCT_NAME } from './product.ts';

/** An error as text: one paragraph, or a list, with a link where that helps. */
export interface Explanation {
  texts: string[];
  /** Errors in the submitted details are shown as a list, even a single one. */
  isList?: boolean;
  /** What the user can do, where the request itself was correct. */
  advice?: string;
  /** At the end of the last text. */
  link?: { text: string; to: 'subscription' | 'renewal' | 'security' };
}

/** Ends the texts of the specification that link to the contact request. */
export const CONTACT_US = 'Contact us for assistance.';

const DEFAULT_FAILURE = 'An error occurred';

/** More pupils than the subscription has places left, found before the server is asked to add them. */
export class CapacityError extends Error {
  readonly placesLeft: number;
  readonly canUpgrade: boolean;

  constructor(placesLeft: number, canUpgrade: boolean) {
    super('Too many pupils');
    this.placesLeft = placesLeft;
    this.canUpgrade = canUpgrade;
  }
}

/** The same as the server reports it. */
function toCapacityError({ code = '' }: ApiError): CapacityError | null {
  const [, role, placesLeft] = /^max-readers-reached:(teacher|admin):(\d+)$/.exec(code) ?? [];
  return role === undefined ? null : new CapacityError(Number(placesLeft), role === 'admin');
}

function explainCapacity({ placesLeft, canUpgrade }: CapacityError): Explanation {
  const text = `Your current subscription only has capacity for ${placesLeft} new readers, `;
  return canUpgrade
    ? { texts: [text], link: { text: 'click here to upgrade', to: 'subscription' } }
    : { texts: [`${text}contact your school administrator to upgrade your package`] };
}

/** Explains what went wrong. */
export function explainError(error: unknown): Explanation {
  if (error instanceof CapacityError) return explainCapacity(error);
  if (!(error instanceof ApiError)) return { texts: [DEFAULT_FAILURE] };
  const capacity = toCapacityError(error);
  if (capacity) return explainCapacity(capacity);
  if (error.error.endsWith(CONTACT_US))
    return { texts: [error.error.slice(0, -CONTACT_US.length)], link: { text: CONTACT_US, to: 'renewal' } };
  if (error.code === 'program_needs_factor')
    return {
      texts: ['Only an admin with a second factor can do this. '],
      link: { text: 'Add a passkey or an authenticator app first.', to: 'security' },
    };
  const fields = Object.values(error.errors).flat();
  if (error.error_type === 'validation' && fields.length > 0) return { texts: fields, isList: true };
  const texts = [error.error || DEFAULT_FAILURE];
  // The specification asks for 'Error: Network Error', which does not tell the user what to do.
  if (error.error_type === 'network')
    return { texts, advice: `We could not reach ${PRODUCT_NAME}. Check your internet connection and try again.` };
  return error.status >= 500 ? { texts, advice: 'Please try again in a moment.' } : { texts };
}

/** The same as one line of text. */
export function errorToText(error: unknown): string {
  const { texts, advice } = explainError(error);
  return [...texts, advice].filter(Boolean).join(' ');
}
