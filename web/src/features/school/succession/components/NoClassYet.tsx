import type { School } from '#contract/calls/school.ts';
import { paths } from '../../../../paths.ts';
import { ButtonLink } from '../../../../ui/ButtonLink.tsx';
import { EmptyState } from '../../../../ui/EmptyState.tsx';
import { adminsInWords } from '../model/admins.ts';

interface Props {
  /** On other pages than *Pupils*, which lists pupils whom they help outside a class. */
  leadsToPupils?: boolean;
  school: Pick<School, 'users'>;
  /** What will be shown, in a sentence: `You will see how its pupils read here.` */
  children: string;
}

/** Shown to a teaching assistant who helps in no class, with the admins who can add them to one. */
export function NoClassYet({ school, leadsToPupils = false, children }: Props) {
  const admins = adminsInWords(school);
  return (
    <EmptyState
      title="You do not help in a class yet"
      action={
        leadsToPupils && (
          <ButtonLink to={paths.pupils()} variant="default">
            Go to pupils
          </ButtonLink>
        )
      }
    >
      Ask {admins === '' ? 'an admin' : admins} to add you to a class. {children}
    </EmptyState>
  );
}
