/** A request that is to be refused, and what the one error shape says. */
import { expect } from 'vitest';
import { fakeApp } from '../fake-parts.ts';

export async function refusal(path: string, init: RequestInit = {}, app = fakeApp().app) {
  const response = await app.request(path, init);
  const body = (await response.json()) as { error: { status: number; message: string } };
  expect(body.error.status).toBe(response.status);
  return { response, status: response.status, message: body.error.message };
}
