import { useAdded } from '../model/added-pupils.ts';
import { Chip } from '../../../../ui/Chip.tsx';

/** Marks a pupil whom the last import created. */
export const NewMark = ({ pupilId }: { pupilId: number }) =>
  useAdded()?.ids.includes(pupilId) ? (
    <>
      {' '}
      <Chip tone="success">New</Chip>
    </>
  ) : null;
