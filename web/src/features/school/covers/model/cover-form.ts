import { z } from 'zod';
import type { BodyInputOf } from '#contract/call.ts';
import type { coverCalls } from '#contract/calls/covers.ts';
import { personName } from '#contract/fields.ts';
import { HOME_TIME, listCoverEnds, toEnd } from './cover-ends.ts';

/** The value of `ends_at` for an end that is typed. */
export const OTHER_END = 'other';

const NAMES = { first_name: personName('first name'), last_name: personName('last name') };

/** The fields have the names of the call’s, so that its errors are shown at them. */
const coverFields = z.object({
  who: z.enum(['colleague', 'supply']),
  user_id: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  ends_at: z.string(),
  day: z.string(),
  time: z.string(),
});
type CoverFields = z.infer<typeof coverFields>;

/** What is missing or wrong, by field. */
function* listProblems(values: CoverFields): Generator<[keyof CoverFields, string]> {
  if (values.who === 'colleague' && values.user_id === '') yield ['user_id', 'Choose a colleague.'];
  if (values.who === 'supply')
    for (const name of ['first_name', 'last_name'] as const) {
      const message = NAMES[name].safeParse(values[name]).error?.issues[0]?.message;
      if (message !== undefined) yield [name, message];
    }
  if (values.ends_at === OTHER_END && values.day === '') yield ['day', 'Enter a day.'];
  if (values.ends_at === OTHER_END && values.time === '') yield ['time', 'Enter a time.'];
}

export const coverForm = coverFields.superRefine((values, context) => {
  for (const [field, message] of listProblems(values)) context.addIssue({ code: 'custom', path: [field], message });
});

/** An empty form. Without a colleague to choose, the cover is for a supply teacher. */
export const emptyCoverForm = (hasColleagues: boolean): CoverFields => ({
  who: hasColleagues ? 'colleague' : 'supply',
  user_id: '',
  first_name: '',
  last_name: '',
  ends_at: listCoverEnds()[0]?.endsAt ?? OTHER_END,
  day: '',
  time: HOME_TIME,
});

export function toCoverBody(classId: number, values: CoverFields): BodyInputOf<typeof coverCalls.startCover> {
  const ofClass = {
    group_id: classId,
    ends_at: values.ends_at === OTHER_END ? toEnd(values.day, values.time) : values.ends_at,
  };
  return values.who === 'colleague'
    ? { ...ofClass, user_id: Number(values.user_id) }
    : { ...ofClass, first_name: values.first_name, last_name: values.last_name };
}
