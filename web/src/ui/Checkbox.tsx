import { type ComponentProps } from 'react';
import css from './Checkbox.module.css';
import { type Choice, Field, type FieldProps, useField } from './Field.tsx';

type BoxProps = Omit<ComponentProps<'input'>, 'size' | 'className' | 'type' | 'role'> &
  Omit<FieldProps, 'isDescriptionBelow'>;

interface CheckboxProps extends BoxProps {
  /** Some, but not all, of what the box stands for. */
  isMixed?: boolean;
}

/** A checkbox in front of its label. */
export function Checkbox({ isMixed = false, ...props }: CheckboxProps) {
  const { frame, control } = useField(props);
  return (
    <Field {...frame} isInline>
      <input
        {...control}
        // HTML has no attribute for it.
        ref={(box) => {
          if (box) box.indeterminate = isMixed;
        }}
        type="checkbox"
        className={css.checkbox}
      />
    </Field>
  );
}

/** A setting that changes as soon as it is switched. */
export function Switch(props: BoxProps & { size?: 'sm' }) {
  const { frame, control } = useField(props);
  return (
    <Field {...frame} isInline>
      {/* oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a native checkbox has its state */}
      <input {...control} type="checkbox" role="switch" className={css.switch} />
    </Field>
  );
}

interface RadioButtonsProps<V extends string> extends Omit<FieldProps, 'isDescriptionBelow'> {
  /** ID of the first choice. */
  id?: string;
  name?: string;
  value?: V | null;
  onChange: (value: V) => void;
  data: readonly Choice<V>[];
  /** The choices beside each other. */
  isRow?: boolean;
}

/** A choice of one, all of them in view. */
export function RadioButtons<V extends string>({
  name,
  value,
  onChange,
  data,
  isRow = false,
  ...props
}: RadioButtonsProps<V>) {
  const { frame, control } = useField(props);
  const { id } = frame;
  const labelId = `${id}-label`;
  return (
    <Field {...frame} labelId={labelId}>
      <div
        role="radiogroup"
        aria-labelledby={labelId}
        aria-describedby={control['aria-describedby']}
        aria-invalid={control['aria-invalid']}
        className={css.choices}
        data-row={isRow || undefined}
      >
        {data.map((choice, index) => {
          const choiceId = index === 0 ? id : `${id}-${choice.value}`;
          return (
            <Field
              key={choice.value}
              id={choiceId}
              label={choice.label}
              description={choice.description}
              isInline
              className={isRow ? 'roomy' : undefined}
            >
              <input
                type="radio"
                id={choiceId}
                name={name ?? id}
                value={choice.value}
                checked={choice.value === value}
                onChange={() => onChange(choice.value)}
                aria-describedby={choice.description && `${choiceId}-description`}
                className={css.radio}
              />
            </Field>
          );
        })}
      </div>
    </Field>
  );
}
