import { Button } from '../../../../ui/Button.tsx';
import { Checkbox } from '../../../../ui/Checkbox.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '../../../../ui/Link.tsx';
import { z } from 'zod';
import type { PupilTag, TagChange } from '#contract/calls/pupil-tags.ts';
import { paths } from '../../../../paths.ts';
import { count } from '../../../../shared/format.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { DialogButtons, DialogForm } from '../../../../ui/DialogForm.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { callForPresent } from '../../../../ui/present-pupils.ts';
import { DEFAULT_SUCCESS, showToast } from '../../../../ui/toasts.ts';
import { pupilTagsQuery, useTagPupils } from '../../school/school.public.ts';

interface Props {
  pupils: readonly { id: number; name: string }[];
  isOpen: boolean;
  onClose: () => void;
  onDone?: () => void;
}

/** Adds tags to pupils and removes tags from them, for admins. */
export function TagDialog(props: Props) {
  const { pupils, isOpen, onClose } = props;
  const only = pupils.length === 1 ? pupils[0] : undefined;
  const result = useQuery(pupilTagsQuery(useSchoolId(), only?.id));
  const tags = result.data?.tags;
  const who = only ? only.name : count(pupils.length, 'pupil');
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={`Tags of ${who}`}>
      {result.error && !tags && <ErrorNotice error={result.error} onRetry={() => void result.refetch()} />}
      {tags?.length === 0 && (
        <>
          <p>
            Your school has no tags yet. Add them on <Link to={paths.school()}>School</Link>.
          </p>
          <DialogButtons>
            <Button onClick={onClose}>Close</Button>
          </DialogButtons>
        </>
      )}
      {tags && tags.length > 0 && <TagForm {...props} tags={tags} who={who} />}
    </Dialog>
  );
}

/** Only the tags that were ticked or cleared, by ID. */
const tagForm = z.object({ ticks: z.record(z.string(), z.boolean()) });
const NO_TICKS: Record<string, boolean> = {};

function TagForm({ pupils, tags, who, onClose, onDone }: Props & { tags: readonly PupilTag[]; who: string }) {
  const tagPupils = useTagPupils(useSchoolId());
  const form = useSchemaForm({ schema: tagForm, initialValues: { ticks: NO_TICKS } });
  const { ticks } = form.form.values;
  const ids = pupils.map(({ id }) => id);

  const save = form.onSubmit(async () => {
    const changesOf = (present: readonly { id: number }[]) =>
      tags.flatMap((tag) =>
        toChange(
          tag,
          present.map(({ id }) => id),
          ticks[tag.id],
        ),
      );
    if (changesOf(pupils).length > 0) {
      const { present } = await callForPresent(pupils, (found) => tagPupils.mutateAsync(changesOf(found)));
      const changes = changesOf(present);
      const reversed = changes.map(({ tag_id, add = [], remove = [] }) => ({ tag_id, add: remove, remove: add }));
      showToast(DEFAULT_SUCCESS, { detail: `Tags of ${who} changed`, undo: () => tagPupils.mutateAsync(reversed) });
    }
    onClose();
    onDone?.();
  });

  return (
    <DialogForm form={form} onSubmit={save} onCancel={onClose} action="Save tags">
      {tags.map(({ id, name, reader_ids: taggedIds }) => {
        const tagged = new Set(taggedIds);
        const taggedCount = ids.filter((pupilId) => tagged.has(pupilId)).length;
        const isMixed = ticks[id] === undefined && taggedCount > 0 && taggedCount < ids.length;
        return (
          <Checkbox
            key={id}
            label={name}
            {...(isMixed && { description: `${taggedCount} of ${count(ids.length, 'pupil')}` })}
            checked={ticks[id] ?? taggedCount === ids.length}
            isMixed={isMixed}
            onChange={(event) => form.form.setFieldValue('ticks', { ...ticks, [id]: event.currentTarget.checked })}
          />
        );
      })}
    </DialogForm>
  );
}

/** The pupils to whom a tag is added, or from whom it is removed; nothing if that changes nothing. */
function toChange(tag: PupilTag, pupilIds: readonly number[], isTicked: boolean | undefined): TagChange[] {
  if (isTicked === undefined) return [];
  const tagged = new Set(tag.reader_ids);
  const changed = pupilIds.filter((id) => tagged.has(id) !== isTicked);
  if (changed.length === 0) return [];
  return [{ tag_id: tag.id, add: isTicked ? changed : [], remove: isTicked ? [] : changed }];
}
