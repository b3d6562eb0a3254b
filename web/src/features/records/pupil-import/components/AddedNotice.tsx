import { Button } from '../../../../ui/Button.tsx';
import { ButtonLink } from '../../../../ui/ButtonLink.tsx';
import { Link } from '../../../../ui/Link.tsx';
import { paths } from '../../../../paths.ts';
import { count } from '../../../../shared/format.ts';
import { Notice } from '../../../../ui/Notice.tsx';
import { markAdded, useAdded } from '../model/added-pupils.ts';

/** What the last import added, with links to its classes. */
export function AddedNotice() {
  const added = useAdded();
  if (!added) return null;
  const { runId, ids, moved, classes } = added;
  const parts = [
    ids.length > 0 ? count(ids.length, 'new pupil') : '',
    moved > 0 ? `${count(moved, 'pupil')} moved` : '',
  ].filter(Boolean);
  return (
    <Notice
      kind="success"
      title={parts.join(', ')}
      action={
        <>
          {runId !== null && (
            <ButtonLink size="sm" variant="default" to={paths.pupilList(runId)}>
              Undo
            </ButtonLink>
          )}
          <Button size="sm" variant="default" onClick={() => markAdded(null)}>
            Close
          </Button>
        </>
      }
    >
      {classes.length > 0 && (
        <ul>
          {classes.map(({ id, name, pupils, isNew }) => (
            <li key={id}>
              <Link to={paths.classPage(id)}>{name}</Link>: {count(pupils, 'new pupil')}
              {isNew && ', a new class'}
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}
