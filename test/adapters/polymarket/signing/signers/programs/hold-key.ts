import { writeHeapSnapshot } from 'node:v8';
import { EnvironmentSigner, KeyFileSigner } from '../../../../../../src/adapters/polymarket/signing/signers/index.js';
import { someOrder, someTerms } from '../terms.js';

/** Takes the key out of a file or the environment, signs with it, writes its heap to a file, and stays. */
const [from, name = '', snapshot = ''] = process.argv.slice(2);
const terms = someTerms();
const signer =
  from === 'file' ? await KeyFileSigner.open(name, terms) : EnvironmentSigner.take(process.env, name, terms);
console.log(await signer.signOrder(someOrder(), { chainId: 137, negRisk: false }));
writeHeapSnapshot(snapshot);
console.log(`the key is held, the environment ${name in process.env ? 'has' : 'lacks'} it`);
setInterval(() => signer.address(), 60_000);
