import { ApiError } from './api-error.ts';

/** A failure in words: one text, or several as a list, with a link where a step helps. */
export interface Explanation {
  texts: string[];
  /** What is wrong with the details that were sent: shown as a list, even of one. */
  isList?: boolean;
  /** Stands at the end of the last text. */
  link?: { text: string; to: 'subscription' };
}

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
  const fields = Object.values(error.errors).flat();
  if (error.error_type === 'validation' && fields.length > 0) return { texts: fields, isList: true };
  return { texts: [error.error || DEFAULT_FAILURE] };
}
