import { text } from '../contract/shapes.ts';

/** The output field that links to a page of the customer's application. */
export const app_url = text(
  'The page of the application that shows this; null when no application is named.',
).nullable();
