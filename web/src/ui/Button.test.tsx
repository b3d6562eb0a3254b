// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { expect, it, vi } from 'vitest';
import { renderInApp } from '../testing/render-in-app.tsx';
import { Button, ButtonAnchor } from './Button.tsx';

function renderInForm(button: ReactNode) {
  const onSubmit = vi.fn<(event: FormEvent) => void>((event) => event.preventDefault());
  const { user } = renderInApp(
    <form onSubmit={onSubmit}>
      <input aria-label="Name" />
      {button}
    </form>,
  );
  return { user, onSubmit, press: () => user.click(screen.getByRole('button')) };
}

it('a button in a form does not submit it unless it is a submit button', async () => {
  const { press, onSubmit } = renderInForm(<Button>Add row</Button>);
  await press();
  expect(onSubmit).not.toHaveBeenCalled();
});

it('a submit button submits its form', async () => {
  const { press, onSubmit } = renderInForm(<Button type="submit">Save</Button>);
  await press();
  expect(onSubmit).toHaveBeenCalledOnce();
});

it('a form whose button is loading is submitted neither by a press nor by Enter in a field', async () => {
  const onClick = vi.fn<() => void>();
  const { user, press, onSubmit } = renderInForm(
    <Button type="submit" loading onClick={onClick}>
      Save
    </Button>,
  );
  await press();
  await user.type(screen.getByRole('textbox'), 'Ann{Enter}');
  expect(onSubmit).not.toHaveBeenCalled();
  expect(onClick).not.toHaveBeenCalled();
});

it('a press on a loading button does not reach the row around it', async () => {
  const onRowClick = vi.fn<() => void>();
  const { user } = renderInApp(
    <div role="presentation" onClick={onRowClick}>
      <Button loading>Undo</Button>
    </div>,
  );
  await user.click(screen.getByRole('button'));
  expect(onRowClick).not.toHaveBeenCalled();
});

it('a button that starts to load keeps the focus and its name, and is reported as busy and disabled', async () => {
  function Save() {
    const [isBusy, setBusy] = useState(false);
    return (
      <Button loading={isBusy} onClick={() => setBusy(true)}>
        Save
      </Button>
    );
  }
  const { user } = renderInApp(<Save />);
  await user.click(screen.getByRole('button'));
  const button = screen.getByRole('button', { name: 'Save', busy: true });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  expect(document.activeElement).toBe(button);
});

it('a disabled button ignores presses', async () => {
  const { press, onSubmit } = renderInForm(
    <Button type="submit" disabled>
      Save
    </Button>,
  );
  await press();
  expect(onSubmit).not.toHaveBeenCalled();
});

it('a link that looks like a button is a link, with its icon before its text', () => {
  renderInApp(
    <ButtonAnchor href="/invoice.pdf" variant="default" leftSection={<svg data-testid="icon" />}>
      Download
    </ButtonAnchor>,
  );
  const link = screen.getByRole('link', { name: 'Download' });
  expect(link.getAttribute('href')).toBe('/invoice.pdf');
  expect(link.firstElementChild).toBe(screen.getByTestId('icon'));
});
