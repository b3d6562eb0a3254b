import { Button } from '../../../../ui/Button.tsx';
import { useState } from 'react';
import type { Pupil } from '#contract/calls/pupils.ts';
import { can } from '../../../../shared/can.ts';
import { useSchoolId, useUser } from '../../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../../shared/use-prefetched-query.ts';
import { Chip } from '../../../../ui/Chip.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { lazyDialog } from '../../../../ui/lazy-dialog.tsx';
import { SectionHead } from '../../../../ui/SectionHead.tsx';
import { pupilTagsQuery, useSchool, WhileOpen } from '../../school/school.public.ts';

const TagDialog = lazyDialog(async () => (await import('./TagDialog.tsx')).TagDialog);

/** A pupil's tags, which admins can change. Nothing where the school has no tags that the user can see. */
export function PupilTags({ pupil }: { pupil: Pupil }) {
  const result = usePrefetchedQuery(pupilTagsQuery(useSchoolId(), pupil.id));
  const isAdmin = can(useUser(), 'edit_school', useSchool());
  const [isOpen, setOpen] = useState(false);
  const tags = result.data?.tags;
  const tagsOfPupil = tags?.filter(({ reader_ids: pupils }) => pupils.includes(pupil.id)) ?? [];
  if (tags && (isAdmin ? tags : tagsOfPupil).length === 0) return null;
  return (
    <section className="below-2xl no-print" aria-labelledby="tags-title">
      <SectionHead
        id="tags-title"
        title="Tags"
        actions={
          isAdmin && (
            <WhileOpen>
              <Button variant="default" onClick={() => setOpen(true)}>
                Change tags
              </Button>
            </WhileOpen>
          )
        }
      />
      {result.error && !tags && <ErrorNotice error={result.error} onRetry={() => void result.refetch()} />}
      {tags && tagsOfPupil.length === 0 && <p className="soft">No tags yet.</p>}
      {tagsOfPupil.length > 0 && (
        <ul className="cluster">
          {tagsOfPupil.map(({ id, name }) => (
            <li key={id}>
              <Chip>{name}</Chip>
            </li>
          ))}
        </ul>
      )}
      {isAdmin && <TagDialog pupils={[pupil]} isOpen={isOpen} onClose={() => setOpen(false)} />}
    </section>
  );
}
