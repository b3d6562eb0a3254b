import { Button } from '../../../../ui/Button.tsx';
import { lazy, useState } from 'react';
import { Link } from '../../../../ui/Link.tsx';
import { type PupilTag, SENSITIVE_TAGS, type SensitiveKind } from '#contract/calls/pupil-tags.ts';
import { paths } from '../../../../paths.ts';
import { count } from '../../../../shared/format.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../../shared/use-prefetched-query.ts';
import { ActionMenu, MenuButton } from '../../../../ui/ActionMenu.tsx';
import { Card } from '../../../../ui/Card.tsx';
import { Confirm } from '../../../../ui/Confirm.tsx';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { pupilTagsQuery, useDeleteTag } from '../pupil-tags.api.ts';
import { WhileOpen } from './WhileOpen.tsx';
import css from './TagSettings.module.css';
import settings from './SchoolSettings.module.css';

const TagNameForm = lazy(() => import('./TagNameForm.tsx'));
const SensitiveTagForm = lazy(() => import('./SensitiveTagForm.tsx'));

const SENSITIVE_KINDS = Object.keys(SENSITIVE_TAGS) as SensitiveKind[];

type Open =
  | { kind: 'add' }
  | { kind: 'rename' | 'delete'; tag: PupilTag }
  | { kind: 'turn on'; sensitive: SensitiveKind; tag: PupilTag | undefined };

/** The school's tags of pupils, for admins. */
export function TagSettings() {
  const schoolId = useSchoolId();
  const result = usePrefetchedQuery(pupilTagsQuery(schoolId));
  const deleteTag = useDeleteTag(schoolId);
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const tags = result.data?.tags;
  const ownTags = tags?.filter(({ kind }) => kind === 'own') ?? [];
  const tagToDelete = open?.kind === 'delete' ? open.tag : undefined;
  const isSensitive = tagToDelete !== undefined && tagToDelete.kind !== 'own';

  return (
    <Card className={settings.box} aria-labelledby="tags-title">
      <h2 id="tags-title">Pupil tags</h2>
      <p>
        Tags filter the list of pupils, such as a reading club. Administrators set them in Pupils. Only administrators
        and the teachers of a pupil’s class see the pupil’s tags.
      </p>
      {result.error && !tags && <ErrorNotice error={result.error} onRetry={() => void result.refetch()} />}
      {tags && (
        <>
          {ownTags.length > 0 && (
            <ul className={css.tags}>
              {ownTags.map((tag) => (
                <li key={tag.id}>
                  <span className={css.name}>{tag.name}</span>
                  <Pupils tag={tag} />
                  <WhileOpen>
                    <ActionMenu label={`Actions for ${tag.name}`}>
                      <MenuButton label={`Rename ${tag.name}`} onClick={() => setOpen({ kind: 'rename', tag })}>
                        Rename
                      </MenuButton>
                      <MenuButton label={`Delete ${tag.name}`} onClick={() => setOpen({ kind: 'delete', tag })}>
                        Delete
                      </MenuButton>
                    </ActionMenu>
                  </WhileOpen>
                </li>
              ))}
            </ul>
          )}
          <WhileOpen>
            <Button variant="default" onClick={() => setOpen({ kind: 'add' })}>
              Add a tag
            </Button>
          </WhileOpen>
          <h3 className={css.heading}>Sensitive tags</h3>
          <p className="soft measure">
            These are off until you turn them on and state what your school uses them for. Turning one off removes it
            from all pupils.
          </p>
          <ul className={css.tags}>
            {SENSITIVE_KINDS.map((kind) => {
              const name = SENSITIVE_TAGS[kind];
              const tag = tags.find((candidate) => candidate.kind === kind);
              const turnOn = () => setOpen({ kind: 'turn on', sensitive: kind, tag });
              return (
                <li key={kind}>
                  <span className={css.name}>
                    {name}
                    <small>{tag ? `Purpose: ${tag.purpose}` : 'Off'}</small>
                  </span>
                  {tag ? (
                    <>
                      <Pupils tag={tag} />
                      <WhileOpen>
                        <ActionMenu label={`Actions for ${name}`}>
                          <MenuButton label={`Change the purpose of ${name}`} onClick={turnOn}>
                            Change the purpose
                          </MenuButton>
                          <MenuButton label={`Turn off ${name}`} onClick={() => setOpen({ kind: 'delete', tag })}>
                            Turn off
                          </MenuButton>
                        </ActionMenu>
                      </WhileOpen>
                    </>
                  ) : (
                    <WhileOpen>
                      <Button variant="default" aria-label={`Turn on ${name}`} onClick={turnOn}>
                        Turn on
                      </Button>
                    </WhileOpen>
                  )}
                </li>
              );
            })}
          </ul>
        </>
      )}
      <Dialog
        isOpen={open?.kind === 'add' || open?.kind === 'rename'}
        onClose={close}
        title={open?.kind === 'rename' ? 'Rename the tag' : 'Add a tag'}
      >
        <TagNameForm tag={open?.kind === 'rename' ? open.tag : undefined} onClose={close} />
      </Dialog>
      <Dialog
        isOpen={open?.kind === 'turn on'}
        onClose={close}
        title={open?.kind === 'turn on' ? SENSITIVE_TAGS[open.sensitive] : ''}
      >
        {open?.kind === 'turn on' && <SensitiveTagForm kind={open.sensitive} tag={open.tag} onClose={close} />}
      </Dialog>
      <Confirm
        isOpen={tagToDelete !== undefined}
        onClose={close}
        title={isSensitive ? `Turn off ${tagToDelete.name}?` : `Delete the tag ${tagToDelete?.name ?? ''}?`}
        action={isSensitive ? 'Turn off' : 'Delete tag'}
        lost="The tag has not been removed."
        isDangerous
        onConfirm={async () => {
          if (!tagToDelete) return;
          await deleteTag.mutateAsync(tagToDelete.id);
          showToast(isSensitive ? `${tagToDelete.name} turned off` : 'Tag deleted');
        }}
      >
        <p>
          It is removed from {count(tagToDelete?.reader_ids.length ?? 0, 'pupil')}, and from pupils in the archive. You
          cannot undo this.
        </p>
      </Confirm>
    </Card>
  );
}

const Pupils = ({ tag }: { tag: PupilTag }) => (
  <Link to={paths.pupils({ tag: tag.id })} aria-label={`${count(tag.reader_ids.length, 'pupil')} with ${tag.name}`}>
    {count(tag.reader_ids.length, 'pupil')}
  </Link>
);
