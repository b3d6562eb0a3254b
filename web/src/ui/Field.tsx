import { IconSelector } from '@tabler/icons-react';
import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import css from './Field.module.css';
import { parseNumber } from './parse-number.ts';

/** What a control shows around itself. */
export interface FieldProps {
  label?: ReactNode;
  description?: ReactNode;
  /** Below the control, so that it lines up with a neighbour without a description. */
  isDescriptionBelow?: boolean;
  /** What is wrong. `true` marks the control without a text. */
  error?: ReactNode;
  /** Of the element around label, control and texts. */
  className?: string | undefined;
}

type ControlProps<E extends 'input' | 'select' | 'textarea'> = Omit<ComponentProps<E>, 'size' | 'className'> &
  FieldProps & { size?: 'sm' };

interface FrameProps extends FieldProps {
  /** ID of the control. */
  id: string;
  /** Of several inputs, which a `<label>` cannot name: the ID by which they refer to their label. */
  labelId?: string;
  size?: 'sm' | undefined;
  /** The label is beside the control, as with a checkbox. */
  isInline?: boolean;
  /** Inside the start and the end of the control. */
  icon?: ReactNode;
  end?: ReactNode;
  children: ReactNode;
}

/** Separates what `Field` shows from the attributes of the control, which get an ID, a description and a state. */
export function useField<P extends FieldProps & { id?: string; size?: 'sm'; 'aria-describedby'?: string | undefined }>({
  label,
  description,
  isDescriptionBelow,
  error,
  className,
  size,
  ...attributes
}: P) {
  const ownId = useId();
  const id = attributes.id ?? ownId;
  const describedBy = [
    hasText(error) && `${id}-error`,
    description && `${id}-description`,
    attributes['aria-describedby'],
  ].filter(Boolean);
  return {
    frame: { id, label, description, isDescriptionBelow, error, className, size },
    control: {
      ...attributes,
      id,
      'aria-invalid': Boolean(error) || undefined,
      'aria-describedby': describedBy.join(' ') || undefined,
    },
  };
}

const hasText = (error: ReactNode) => Boolean(error) && error !== true;

/** Label, description, control and error, in this order unless the props say otherwise. */
export function Field({
  id,
  label,
  labelId,
  description,
  isDescriptionBelow = false,
  error,
  className,
  size,
  isInline = false,
  icon,
  end,
  children,
}: FrameProps) {
  const control =
    icon || end ? (
      <div className={css.box}>
        {icon && <span className={css.icon}>{icon}</span>}
        {children}
        {end && <span className={css.end}>{end}</span>}
      </div>
    ) : (
      children
    );
  return (
    <div
      className={className ? `${css.field} ${className}` : css.field}
      data-size={size}
      data-inline={isInline || undefined}
    >
      {isInline && control}
      {label &&
        (labelId ? (
          <div id={labelId} className={css.label}>
            {label}
          </div>
        ) : (
          <label htmlFor={id} className={css.label}>
            {label}
          </label>
        ))}
      {!isInline && isDescriptionBelow && control}
      {description && (
        <p id={`${id}-description`} className={css.description}>
          {description}
        </p>
      )}
      {!isInline && !isDescriptionBelow && control}
      {hasText(error) && (
        <p id={`${id}-error`} className={css.error}>
          {error}
        </p>
      )}
    </div>
  );
}

export interface TextInputProps extends ControlProps<'input'> {
  icon?: ReactNode;
  end?: ReactNode;
}

/** A line of text, a date or a search, by `type`. */
export function TextInput({ icon, end, ...props }: TextInputProps) {
  const { frame, control } = useField(props);
  return (
    <Field {...frame} icon={icon} end={end}>
      <input type="text" {...control} className={css.control} />
    </Field>
  );
}

interface TextareaProps extends ControlProps<'textarea'> {
  rows: number;
  /** Grows with its text up to this number of rows. */
  maxRows?: number;
  value?: string;
}

/** Text of several lines. */
export function Textarea({ maxRows, ...props }: TextareaProps) {
  const { frame, control } = useField(props);
  return (
    <Field {...frame}>
      <div
        className={css.lines}
        // Laid out behind the text, which gives the box its height.
        data-text={maxRows && control.value}
        style={{ '--max-rows': maxRows ?? control.rows } as object}
      >
        <textarea {...control} className={css.control} />
      </div>
    </Field>
  );
}

export interface Choice<V extends string = string> {
  value: V;
  label: string;
  disabled?: boolean;
  /** What it means. Only for radio buttons. */
  description?: string;
}

interface NativeSelectProps extends ControlProps<'select'> {
  /** The options. `children` are for those in an `<optgroup>`. */
  data?: readonly Choice[];
}

/** A choice from a list, which the browser shows. */
export function NativeSelect({ data, children, ...props }: NativeSelectProps) {
  const { frame, control } = useField(props);
  return (
    <Field {...frame} end={<IconSelector size="1em" aria-hidden />}>
      <select {...control} className={css.control}>
        {data?.map(({ value, label, disabled }) => (
          <option key={value} value={value} disabled={disabled}>
            {label}
          </option>
        ))}
        {children}
      </select>
    </Field>
  );
}

interface NumberInputProps extends Omit<TextInputProps, 'value' | 'onChange' | 'end'> {
  /** A number, or the text that is not one: empty, or wrong. */
  value?: number | string;
  onChange: (value: number | string) => void;
  /** How many decimal places it takes. */
  decimals?: number;
  unit?: string;
}

/**
 * A number in a text field: a native one changes by the mouse wheel and drops what is pasted with a comma. Its bounds are
 * the schema's.
 */
export function NumberInput({ value = '', onChange, decimals = 0, unit, ...props }: NumberInputProps) {
  const [typed, setTyped] = useState('');
  const unitId = useId();
  return (
    <TextInput
      {...props}
      inputMode={decimals > 0 ? 'decimal' : 'numeric'}
      value={parseNumber(typed, decimals) === value ? typed : String(value)}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        onChange(parseNumber(currentTarget.value, decimals));
      }}
      {...(unit && {
        className: css.measured,
        end: <span id={unitId}>{unit}</span>,
        'aria-describedby': unitId,
      })}
    />
  );
}
