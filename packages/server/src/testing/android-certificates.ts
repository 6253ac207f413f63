import { webcrypto } from 'node:crypto';
import 'reflect-metadata';
import { AuthorizationList, id_ce_keyDescription, KeyDescription } from '@peculiar/asn1-android';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  BasicConstraintsExtension,
  CRLDistributionPointsExtension,
  cryptoProvider,
  Extension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import type { TestAuthenticator } from './test-authenticator.ts';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** Certificates such as a phone sends with a new passkey, except that anybody has made them. They name a list of revoked ones. */
export async function androidCertificates(
  authenticator: TestAuthenticator,
  clientDataHash: Buffer,
  revokedUrl: string,
): Promise<Buffer[]> {
  cryptoProvider.set(webcrypto as Crypto);
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const times = { notBefore: new Date(Date.now() - 3_600_000), notAfter: new Date(Date.now() + 3_600_000) };
  const root = await X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: 'CN=Root',
    keys,
    ...times,
    signingAlgorithm: ALGORITHM,
    extensions: [new BasicConstraintsExtension(true, 2, true)],
  });
  const publicKey = await webcrypto.subtle.importKey(
    'jwk',
    authenticator.publicKey.export({ format: 'jwk' }),
    ALGORITHM,
    true,
    ['verify'],
  );
  const leaf = await X509CertificateGenerator.create({
    serialNumber: '02',
    subject: 'CN=Phone',
    issuer: 'CN=Root',
    publicKey,
    signingKey: keys.privateKey,
    ...times,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new Extension(id_ce_keyDescription, false, AsnConvert.serialize(keyDescription(clientDataHash))),
      new CRLDistributionPointsExtension([revokedUrl]),
    ],
  });
  return [leaf, root].map(({ rawData }) => Buffer.from(rawData));
}

function keyDescription(clientDataHash: Buffer): KeyDescription {
  return Object.assign(new KeyDescription(), {
    attestationVersion: 3,
    attestationSecurityLevel: 1,
    keymasterVersion: 3,
    keymasterSecurityLevel: 1,
    attestationChallenge: new OctetString(new Uint8Array(clientDataHash)),
    uniqueId: new OctetString(new Uint8Array(0)),
    softwareEnforced: new AuthorizationList(),
    teeEnforced: new AuthorizationList(),
  });
}
