import type { User } from '#contract/calls/access.ts';
import { paths } from '../paths.ts';
import { otherSchools } from '../shared/own-schools.ts';
import { Link } from '../ui/Link.tsx';

interface Props {
  user: User;
  className: string | undefined;
  onFollow?: (() => void) | undefined;
}

/** Beside the school's name, for a person who works at several. */
export const SwitchSchoolLink = ({ user, className, onFollow }: Props) =>
  otherSchools(user).length > 0 && (
    <Link to={paths.ownSchools()} className={className} onClick={onFollow}>
      Switch school
    </Link>
  );
