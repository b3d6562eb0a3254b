import { useAdded } from '../model/added-pupils.ts';
import { Chip } from '../../../../ui/Chip.tsx';
import css from './NewMark.module.css';

/** Marks a pupil whom the last import created. */
export const NewMark = ({ pupilId }: { pupilId: number }) =>
  useAdded()?.ids.includes(pupilId) ? (
    <span className={css.mark}>
      <Chip tone="success">New</Chip>
    </span>
  ) : null;
