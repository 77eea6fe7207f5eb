// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tasks/write_file.h"

#include <QCoreApplication>
#include <QSaveFile>

namespace ddp::ui {

Result<QString> writeWhole(const QString& file, const QByteArray& bytes) {
    QSaveFile out(file);
    if (out.open(QIODevice::WriteOnly) && out.write(bytes) == bytes.size() && out.commit())
        return file;
    return fail(ErrorCode::Unwritable,
                QCoreApplication::translate("WriteFile",
                                            "%1 can not be written: %2. Check the folder and its free space.")
                    .arg(file, out.errorString())
                    .toStdString());
}

} // namespace ddp::ui
