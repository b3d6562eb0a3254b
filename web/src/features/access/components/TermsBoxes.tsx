import { Checkbox } from '@mantine/core';
import css from './TermsBoxes.module.css';

interface Props {
  /** `form.field` of useSchemaForm, with the path of the boxes in it. */
  field: (name: string, options: { type: 'checkbox' }) => object;
  labels: { accept_eula: string; accepts_ts_and_cs: string };
  notes?: { accept_eula: string; accepts_ts_and_cs: string };
}

/** The two boxes without which no school is set up. */
export function TermsBoxes({ field, labels, notes }: Props) {
  return (
    <div className={css.boxes}>
      {(['accept_eula', 'accepts_ts_and_cs'] as const).map((name) => (
        <Checkbox
          key={name}
          {...field(name, { type: 'checkbox' })}
          label={labels[name]}
          description={notes?.[name]}
          classNames={{ body: css.box!, labelWrapper: css.label! }}
        />
      ))}
    </div>
  );
}
