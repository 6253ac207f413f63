import { type ColumnDefinitionNode, DataTypeNode, PostgresDialect, PostgresQueryCompiler, RawNode } from 'kysely';

/** The dialect that migrations run on. */
export class PostgresSchemaDialect extends PostgresDialect {
  override createQueryCompiler(): PostgresQueryCompiler {
    return new BytewiseTextCompiler();
  }
}

/**
 * Makes every text column compare by bytes: both engines then sort alike, whatever the locale of the database, and an
 * upgrade of the operating system's collations cannot spoil an index.
 */
class BytewiseTextCompiler extends PostgresQueryCompiler {
  protected override visitColumnDefinition(node: ColumnDefinitionNode): void {
    const { dataType } = node;
    const isText = DataTypeNode.is(dataType) && dataType.dataType === 'text';
    super.visitColumnDefinition(isText ? { ...node, dataType: RawNode.createWithSql('text collate "C"') } : node);
  }
}
