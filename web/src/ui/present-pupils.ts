import { ApiError } from '../shared/api-error.ts';
import { listInWords } from '../shared/format.ts';
import { showToast } from './toasts.ts';
import { dropFromSelections } from './use-selection.ts';

interface NamedPupil {
  id: number;
  name: string;
}

const MAX_NAMES = 3;

/** `Amara Nwachukwu is no longer in the school`. */
function missingText(missing: readonly NamedPupil[], place: string): string {
  const names = missing.map(({ name }) => name);
  const shown =
    names.length > MAX_NAMES ? [...names.slice(0, MAX_NAMES - 1), `${names.length - MAX_NAMES + 1} others`] : names;
  return `${listInWords(shown)} ${names.length === 1 ? 'is' : 'are'} no longer in ${place}`;
}

/** Unselects pupils who no longer exist, and says who they are. */
export function reportMissing(missing: readonly NamedPupil[], place = 'the school'): void {
  dropFromSelections(missing.map(({ id }) => id));
  showToast(missingText(missing, place));
}

/**
 * Makes a call for several pupils. When some do not exist, the server does nothing and returns their IDs: they leave the
 * selection, and the call is made again for the others, the `present`. Throws when none is left.
 */
export async function callForPresent<Pupil extends NamedPupil, Reply>(
  pupils: readonly Pupil[],
  makeCall: (pupils: readonly Pupil[]) => Promise<Reply>,
  place = 'the school',
): Promise<{ present: readonly Pupil[]; reply: Reply }> {
  try {
    return { present: pupils, reply: await makeCall(pupils) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const ids = new Set(error.missingPupils);
    const missing = pupils.filter(({ id }) => ids.has(id));
    if (missing.length === 0) throw error;
    reportMissing(missing, place);
    const present = pupils.filter(({ id }) => !ids.has(id));
    if (present.length === 0) throw error.reworded({ error: `${missingText(missing, place)}.` });
    return { present, reply: await makeCall(present) };
  }
}
