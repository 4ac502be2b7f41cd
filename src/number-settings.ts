/** The forms of settings that are numbers. */
import { z } from 'zod';

/** A whole number from 0 to `most`. */
export const wholeNumber = (most: number) =>
  z
    .string()
    .regex(/^\d{1,5}$/)
    .transform(Number)
    .pipe(z.int().max(most));

/** A limit of requests. */
export const requestsPerMinute = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number)
  .pipe(z.int().min(1));
