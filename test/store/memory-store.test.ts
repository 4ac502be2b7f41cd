import { describe } from 'vitest';
import { holdsTheContract } from './contract.ts';
import { memoryStore } from './memory-store.ts';

describe('the store in memory', () => {
  holdsTheContract(async () => memoryStore());
});
