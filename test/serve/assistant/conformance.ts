/** `npm run campaign -- conformance`: what the official suite says of the assistant, scenario by scenario. */
import { EXCUSES, excusesOf, REVISIONS } from './conformance-excuses.ts';
import { runSuite } from './conformance-suite.ts';

for (const revision of REVISIONS) {
  const { passed, asExpected, output } = await runSuite(revision);
  if (!asExpected) process.stdout.write(output);
  const excused = excusesOf(revision);
  process.stdout.write(
    `${revision}: ${passed.filter((name) => !excused.includes(name)).length} scenarios passed, ${excused.length} excused\n`,
  );
  for (const { capability, scenarios } of EXCUSES) {
    for (const name of scenarios[revision]) process.stdout.write(`  no ${capability}: ${name}\n`);
  }
  if (!asExpected) process.exitCode = 1;
}
