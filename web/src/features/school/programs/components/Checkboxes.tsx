import type { ReactNode } from 'react';
import { Checkbox } from '../../../../ui/Checkbox.tsx';
import { Field } from '../../../../ui/Field.tsx';

interface Choice<V> {
  value: V;
  label: string;
  description?: string;
}

interface Props<V> {
  /** ID of the first box, to which an error leads. */
  id: string;
  label: string;
  error?: ReactNode;
  data: readonly Choice<V>[];
  values: readonly V[];
  /** Gets the chosen values in the order of `data`. */
  onChange: (values: V[]) => void;
  className: string;
}

/** A choice of several, all of them in view. */
export function Checkboxes<V extends string | number>({
  id,
  label,
  error,
  data,
  values,
  onChange,
  className,
}: Props<V>) {
  const labelId = `${id}-label`;
  return (
    <Field id={id} label={label} labelId={labelId} error={error}>
      <div
        role="group"
        aria-labelledby={labelId}
        aria-describedby={error ? `${id}-error` : undefined}
        className={className}
      >
        {data.map((choice, index) => (
          <Checkbox
            key={choice.value}
            id={index === 0 ? id : `${id}-${choice.value}`}
            label={choice.label}
            description={choice.description}
            checked={values.includes(choice.value)}
            onChange={({ currentTarget }) =>
              onChange(
                data
                  .map(({ value }) => value)
                  .filter((value) => (value === choice.value ? currentTarget.checked : values.includes(value))),
              )
            }
          />
        ))}
      </div>
    </Field>
  );
}
