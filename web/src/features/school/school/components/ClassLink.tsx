import { paths } from '../../../../paths.ts';
import { Link } from '../../../../ui/Link.tsx';
import { useSchool } from '../school.api.ts';

interface Props {
  /** The class of a pupil. */
  schoolClass: { id: number; name: string };
  className?: string;
}

/** A link to a class; its name alone where the user cannot see it, as a teaching assistant who helps one pupil of it. */
export function ClassLink({ schoolClass: { id, name }, className }: Props) {
  const classes = useSchool()?.groups;
  const isHidden = classes !== undefined && !classes.some((other) => other.id === id);
  return isHidden ? (
    <span>{name}</span>
  ) : (
    <Link to={paths.classPage(id)} className={className}>
      {name}
    </Link>
  );
}
