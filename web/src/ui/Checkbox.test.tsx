// @vitest-environment happy-dom
import { useState } from 'react';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderInApp } from '../testing/render-in-app.tsx';
import { Checkbox, RadioButtons, Switch } from './Checkbox.tsx';

const describedBy = (control: HTMLElement) =>
  document.getElementById(control.getAttribute('aria-describedby') ?? '')?.textContent;

it('a click on the label of a checkbox ticks it, and its description describes it', async () => {
  function Example() {
    const [isOn, setOn] = useState(false);
    return (
      <Checkbox
        label="Send the digest"
        description="Every Monday"
        checked={isOn}
        onChange={({ currentTarget }) => setOn(currentTarget.checked)}
      />
    );
  }
  const { user } = renderInApp(<Example />);
  const box = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Send the digest' });
  expect(describedBy(box)).toBe('Every Monday');
  await user.click(screen.getByText('Send the digest'));
  expect(box.checked).toBe(true);
});

it('a checkbox with an error is invalid and described by the error', () => {
  renderInApp(<Checkbox label="Accept" error="Accept the terms." checked={false} onChange={() => {}} />);
  const box = screen.getByRole('checkbox', { name: 'Accept' });
  expect(box.getAttribute('aria-invalid')).toBe('true');
  expect(describedBy(box)).toBe('Accept the terms.');
});

it('a checkbox is indeterminate while it is mixed', async () => {
  function Example() {
    const [isMixed, setMixed] = useState(true);
    return (
      <>
        <Checkbox label="Tag" isMixed={isMixed} checked={false} onChange={() => {}} />
        <button onClick={() => setMixed(false)}>Remove</button>
      </>
    );
  }
  const { user } = renderInApp(<Example />);
  const box = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Tag' });
  expect(box.indeterminate).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Remove' }));
  expect(box.indeterminate).toBe(false);
});

it('a switch has the role switch, and its label contains only text', async () => {
  function Example() {
    const [isOn, setOn] = useState(false);
    return <Switch label="Hide names" checked={isOn} onChange={({ currentTarget }) => setOn(currentTarget.checked)} />;
  }
  const { user, container } = renderInApp(<Example />);
  const control = screen.getByRole<HTMLInputElement>('switch', { name: 'Hide names' });
  await user.click(control);
  expect(control.checked).toBe(true);
  expect(container.querySelector('label *')).toBe(null);
});

function renderRadios(initial: 'phone' | 'email' | null = 'phone') {
  function Example() {
    const [value, setValue] = useState(initial);
    return (
      <RadioButtons
        id="preference"
        label="How should we contact you?"
        description="In school hours"
        error={value === null && 'Choose phone or email.'}
        value={value}
        onChange={setValue}
        data={[
          { value: 'phone', label: 'Phone' },
          { value: 'email', label: 'Email' },
        ]}
      />
    );
  }
  return renderInApp(<Example />);
}
const radio = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name });

it('radio buttons are named by their question and described by its error and its description', () => {
  renderRadios(null);
  const buttons = screen.getByRole('radiogroup', { name: 'How should we contact you?' });
  expect(buttons.getAttribute('aria-describedby')).toBe('preference-error preference-description');
  expect(buttons.getAttribute('aria-invalid')).toBe('true');
});

it('the arrow keys choose between radio buttons, and the Tab key leaves them', async () => {
  const { user } = renderRadios();
  await user.tab();
  expect(document.activeElement).toBe(radio('Phone'));
  await user.keyboard('{ArrowDown}');
  expect([radio('Phone').checked, radio('Email').checked]).toEqual([false, true]);
  await user.tab();
  expect(document.activeElement).toBe(document.body);
});

it('the link of an error leads to the first radio button: it has the ID of the field', () => {
  renderRadios(null);
  expect(radio('Phone').id).toBe('preference');
  expect(radio('Email').id).not.toBe('preference');
});
