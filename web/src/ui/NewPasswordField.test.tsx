// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderInApp } from '../testing/render-in-app.tsx';
import { NewPasswordField } from './NewPasswordField.tsx';

it.each([
  ['willowbank-2026', 'Strength: weak: choose one without your name, your school’s name or Storylark'],
  ['Storylark-2026!', 'Strength: weak: choose one without your name, your school’s name or Storylark'],
  ['willow', 'Strength: too short'],
  ['willow-harbour-kettle', 'Strength: strong'],
  ['reading-1', 'Strength: fair: a longer one is harder to guess'],
])('describes the password %j as “%s”', (value, text) => {
  renderInApp(
    <NewPasswordField label="Password" value={value} names={['Willow Bank Primary', 'Ada']} onChange={() => {}} />,
  );
  expect(screen.getByText(text)).toBeTruthy();
});
