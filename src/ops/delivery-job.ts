/** A job that holds only the id of a delivery: of a webhook's event, or of a snapshot. */
import { z } from 'zod';

const id = z
  .string()
  .regex(/^[1-9]\d{0,18}$/)
  .transform(BigInt);

/** The attempt of a worker, as pg-boss gives it out. */
export const takenDelivery = z
  .object({
    id: z.string(),
    retryCount: z.int(),
    retryLimit: z.int(),
    data: z.strictObject({ account_id: id, delivery_id: id }),
  })
  .transform(({ retryLimit, data, ...attempt }) => ({
    ...attempt,
    ...data,
    isLastTry: attempt.retryCount >= retryLimit,
  }));
