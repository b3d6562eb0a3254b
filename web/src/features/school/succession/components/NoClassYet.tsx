import type { School } from '#contract/calls/school.ts';
import { EmptyState } from '../../../../ui/EmptyState.tsx';
import { adminsInWords } from '../model/admins.ts';

interface Props {
  school: Pick<School, 'users'>;
  /** What will be shown, in a sentence: `You will see how its pupils read here.` */
  children: string;
}

/** Shown to a teaching assistant who helps in no class, with the admins who can add them to one. */
export function NoClassYet({ school, children }: Props) {
  const admins = adminsInWords(school);
  return (
    <EmptyState title="You do not help in a class yet">
      Ask {admins === '' ? 'an admin' : admins} to add you to a class. {children}
    </EmptyState>
  );
}
