// SPDX-License-Identifier: GPL-3.0-or-later
// The window and a cluster.
#include "tests/ui/cluster/cluster_window_test.h"
#include "tests/ui/cluster/questions_test.h"
#include "tests/ui/test_list.h"

#include <QApplication>

int main(int argc, char** argv) {
    using namespace ddp;
    QApplication application(argc, argv);
    return test::runTests(
        argc, argv,
        {test::named<ui::QuestionsTest>("questions"), test::named<ui::ClusterWindowTest>("cluster_window")});
}
