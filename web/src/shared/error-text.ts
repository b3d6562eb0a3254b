import { ApiError } from './api-error.ts';
import { PRODUCT_NAME } from './product.ts';

/** A failure in words: one text, or several as a list, with a link where a step helps. */
export interface Explanation {
  texts: string[];
  /** What is wrong with the details that were sent: shown as a list, even of one. */
  isList?: boolean;
  /** What to do now, where nothing is wrong with what was asked for. */
  advice?: string;
  /** Stands at the end of the last text. */
  link?: { text: string; to: 'subscription' | 'renewal' };
}

/** The end of the texts of the specification that lead to the contact request. */
export const CONTACT_US = 'Contact us for assistance.';

const DEFAULT_FAILURE = 'An error occurred';

/** Says what went wrong. */
export function explainError(error: unknown): Explanation {
  if (!(error instanceof ApiError)) return { texts: [DEFAULT_FAILURE] };
  const capacity = /^max-readers-reached:(teacher|admin):(\d+)$/.exec(error.code ?? '');
  if (capacity) {
    const text = `Your current subscription only has capacity for ${capacity[2]} new readers, `;
    return capacity[1] === 'admin'
      ? { texts: [text], link: { text: 'click here to upgrade', to: 'subscription' } }
      : { texts: [`${text}contact your school administrator to upgrade your package`] };
  }
  if (error.error.endsWith(CONTACT_US))
    return { texts: [error.error.slice(0, -CONTACT_US.length)], link: { text: CONTACT_US, to: 'renewal' } };
  const fields = Object.values(error.errors).flat();
  if (error.error_type === 'validation' && fields.length > 0) return { texts: fields, isList: true };
  const texts = [error.error || DEFAULT_FAILURE];
  // The specification's 'Error: Network Error' comes first; it alone helps nobody.
  if (error.error_type === 'network')
    return { texts, advice: `We could not reach ${PRODUCT_NAME}. Check your internet connection and try again.` };
  return error.status >= 500 ? { texts, advice: 'Please try again in a moment.' } : { texts };
}

/** The same as one text. */
export function sayError(error: unknown): string {
  const { texts, advice } = explainError(error);
  return [...texts, advice].filter(Boolean).join(' ');
}
