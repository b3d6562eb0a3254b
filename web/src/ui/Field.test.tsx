// @vitest-environment happy-dom
import { useState } from 'react';
import { screen } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { expect, it, onTestFinished, vi } from 'vitest';
import { renderInApp } from '../testing/render-in-app.tsx';
import { NativeSelect, NumberInput, Textarea, TextInput } from './Field.tsx';

/** The texts of the elements to which `aria-describedby` refers, in its order. */
const descriptionOf = (control: HTMLElement) =>
  (control.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .filter(Boolean)
    .map((id) => document.getElementById(id)?.textContent);

it('a text input is named by its label and described by its error, its description and other texts, in this order', () => {
  renderInApp(
    <>
      <p id="rule">Seven characters</p>
      <TextInput label="Name" description="As on the register" error="Enter a name." aria-describedby="rule" />
    </>,
  );
  const input = screen.getByRole('textbox', { name: 'Name' });
  expect(descriptionOf(input)).toEqual(['Enter a name.', 'As on the register', 'Seven characters']);
  expect(input.getAttribute('aria-invalid')).toBe('true');
});

it('a text input without an error is not marked as invalid and has no description', () => {
  renderInApp(<TextInput label="Name" />);
  const input = screen.getByRole('textbox', { name: 'Name' });
  expect(input.hasAttribute('aria-invalid')).toBe(false);
  expect(input.hasAttribute('aria-describedby')).toBe(false);
});

it('a text input whose error is true is invalid without a text', () => {
  const { container } = renderInApp(<TextInput aria-label="Name" error />);
  expect(screen.getByRole('textbox', { name: 'Name' }).getAttribute('aria-invalid')).toBe('true');
  expect(container.querySelector('p')).toBe(null);
});

it('a text input passes its ID, ref and native attributes to the input element', () => {
  let element: HTMLInputElement | null = null;
  const ref = (input: HTMLInputElement | null) => {
    element ??= input;
  };
  renderInApp(
    <TextInput ref={ref} id="code" name="code" label="Code" required readOnly autoComplete="one-time-code" />,
  );
  const input = screen.getByLabelText<HTMLInputElement>('Code');
  expect(element).toBe(input);
  expect([input.id, input.name, input.required, input.readOnly, input.autocomplete]).toEqual([
    'code',
    'code',
    true,
    true,
    'one-time-code',
  ]);
});

it('a label belongs to its text input in server-rendered HTML', () => {
  onTestFinished(() => document.body.replaceChildren());
  document.body.innerHTML = renderToString(<TextInput label="Name" />);
  expect(screen.getByRole('textbox', { name: 'Name' })).toBeTruthy();
});

it('a description is above its control, or below it with isDescriptionBelow', () => {
  const { container } = renderInApp(
    <>
      <TextInput label="One" description="above" />
      <TextInput label="Two" description="below" isDescriptionBelow />
    </>,
  );
  expect([...container.querySelectorAll('p, input')].map(({ textContent }) => textContent)).toEqual([
    'above',
    '',
    '',
    'below',
  ]);
});

it('a select shows its options, also disabled and nested ones, and reports the chosen value', async () => {
  const onChange = vi.fn<(value: string) => void>();
  const { user } = renderInApp(
    <NativeSelect
      label="Class"
      value=""
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data={[
        { value: '', label: 'Choose a class', disabled: true },
        { value: '2', label: 'Kingfishers' },
      ]}
    >
      <optgroup label="Others">
        <option value="3">Badgers</option>
      </optgroup>
    </NativeSelect>,
  );
  const select = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Class' });
  expect([...select.options].map(({ text, disabled }) => [text, disabled])).toEqual([
    ['Choose a class', true],
    ['Kingfishers', false],
    ['Badgers', false],
  ]);
  await user.selectOptions(select, 'Badgers');
  expect(onChange).toHaveBeenCalledWith('3');
});

it('a text area with a maximum number of rows grows with its text, and one without keeps its rows', () => {
  const { container } = renderInApp(
    <>
      <Textarea label="Note" rows={2} maxRows={6} value={'one\ntwo\nthree'} onChange={() => {}} />
      <Textarea label="Cells" rows={3} value="one" onChange={() => {}} />
    </>,
  );
  expect([...container.querySelectorAll('[data-text]')].map((box) => box.getAttribute('data-text'))).toEqual([
    'one\ntwo\nthree',
  ]);
  expect(screen.getByLabelText('Cells').getAttribute('rows')).toBe('3');
});

function renderNumber(initial: number | string, props: Partial<Parameters<typeof NumberInput>[0]> = {}) {
  const values: (number | string)[] = [];
  function Example() {
    const [value, setValue] = useState(initial);
    return (
      <>
        <NumberInput
          label="Price"
          {...props}
          value={value}
          onChange={(next) => {
            values.push(next);
            setValue(next);
          }}
        />
        <button onClick={() => setValue(99)}>Reset</button>
      </>
    );
  }
  const { user } = renderInApp(<Example />);
  return { user, values, input: screen.getByRole<HTMLInputElement>('textbox', { name: 'Price' }) };
}

it('a number input shows the text that the user types and reports its number', async () => {
  const { user, values, input } = renderNumber(0, { decimals: 2 });
  await user.clear(input);
  await user.type(input, '7.50');
  expect(input.value).toBe('7.50');
  expect(values).toEqual(['', 7, 7, 7.5, 7.5]);
});

it('a number input accepts a pasted number with commas', async () => {
  const { user, values, input } = renderNumber('');
  await user.click(input);
  await user.paste('1,200');
  expect(input.value).toBe('1,200');
  expect(values).toEqual([1200]);
});

it('a number input reports text that is not a number unchanged, so that the schema can reject it', async () => {
  const { user, values, input } = renderNumber(3);
  await user.type(input, 'x');
  expect(input.value).toBe('3x');
  expect(values).toEqual(['3x']);
});

it('a number input shows a number that the form sets', async () => {
  const { user, input } = renderNumber(3);
  await user.type(input, '4');
  await user.click(screen.getByRole('button', { name: 'Reset' }));
  expect(input.value).toBe('99');
});

it('a number input opens the keyboard for digits, with a decimal point where decimals are allowed', () => {
  renderInApp(
    <>
      <NumberInput label="Pupils" value={1} onChange={() => {}} />
      <NumberInput label="Pounds" value={1} onChange={() => {}} decimals={2} />
    </>,
  );
  expect(screen.getByLabelText<HTMLInputElement>('Pupils').inputMode).toBe('numeric');
  expect(screen.getByLabelText<HTMLInputElement>('Pounds').inputMode).toBe('decimal');
});

it('the unit of a number input is part of its description', () => {
  renderInApp(<NumberInput label="Accuracy below" value={90} onChange={() => {}} unit="per cent" />);
  expect(descriptionOf(screen.getByLabelText('Accuracy below'))).toEqual(['per cent']);
});
